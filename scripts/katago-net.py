#!/usr/bin/env python3
"""Makes a random network in the format of KataGo's model files, for tests. Needs numpy alone.

Blocks are a list such as `ordinary,gpool,nested(attention,ffn)`. A name that ends with `.gz` is compressed."""
import argparse
import gzip

import numpy as np

PLANES, NUMBERS, PLAYER_NUMBERS = 22, 19, 192


class Writer:
    """Writer of pieces: each begins with its name, and arrays follow."""

    def __init__(self, options):
        self.options, self.parts = options, []
        self.random = np.random.default_rng(options.seed)

    def words(self, *words):
        self.parts.append(("\n".join(str(word) for word in words) + "\n").encode())

    def array(self, numbers):
        """Numbers with 8 bits of mantissa, since those compress better."""
        numbers = np.ascontiguousarray(numbers, "<f4")
        rounded = (numbers.view("<u4") + np.uint32(1 << 14)) & np.uint32(0xFFFF8000)
        numbers = rounded.view("<f4").ravel()
        if self.options.text:
            self.words(" ".join(repr(float(number)) for number in numbers))
        else:
            self.parts.append(b"@BIN@" + numbers.tobytes() + b"\n")

    def normal(self, *sizes, scale=1.0):
        return self.random.normal(0, scale, sizes)

    def convolution(self, name, side, inputs, outputs, scale=1.0, dilation=1):
        self.words(name, side, side, inputs, outputs, dilation, dilation)
        self.array(self.normal(side, side, inputs, outputs, scale=scale / np.sqrt(side * side * inputs)))

    def matrix(self, name, inputs, outputs, scale=1.0):
        self.words(name, inputs, outputs)
        self.array(self.normal(inputs, outputs, scale=scale / np.sqrt(inputs)))

    def bias(self, name, channels):
        self.words(name, channels)
        self.array(self.normal(channels, scale=0.3))

    def norm(self, name, channels):
        """A batch norm, by chance with or without factors."""
        factors = int(self.random.integers(2))
        self.words(name, channels, 0.001, factors, 1)
        self.array(self.normal(channels, scale=0.2))
        self.array(self.random.uniform(0.5, 1.5, channels))
        if factors:
            self.array(self.random.uniform(0.5, 1.5, channels))
        self.array(self.normal(channels, scale=0.3))

    def activation(self, name, kind=None):
        self.words(name)
        if self.options.version >= 11:
            self.words("ACTIVATION_" + (kind or self.options.activation).upper())

    def root_mean_square(self, name, channels):
        self.words(name, channels, 1e-06)
        self.array(self.random.uniform(0.5, 1.5, channels))

    def blocks(self, name, kinds, channels):
        for number, (kind, inner) in enumerate(kinds):
            getattr(self, kind)(f"{name}.{number}", inner, channels)

    def start(self, name, channels):
        self.norm(f"{name}.norm1", channels)
        self.activation(f"{name}.act1")

    def ordinary(self, name, _, channels):
        self.words("ordinary_block", name)
        self.start(name, channels)
        self.convolution(f"{name}.conv1", 3, channels, channels, dilation=self.options.dilation)
        self.norm(f"{name}.norm2", channels)
        self.activation(f"{name}.act2")
        self.convolution(f"{name}.conv2", 3, channels, channels, scale=0.5)

    @staticmethod
    def pooled(channels):
        """Channels of a block of so many that are pooled."""
        return max(1, channels // 4)

    def gpool(self, name, _, channels):
        pooled = self.pooled(channels)
        regular = channels - pooled
        self.words("gpool_block", name)
        self.start(name, channels)
        self.convolution(f"{name}.conv1", 3, channels, regular)
        self.convolution(f"{name}.pool", 3, channels, pooled)
        self.norm(f"{name}.pool.norm", pooled)
        self.activation(f"{name}.pool.act")
        self.matrix(f"{name}.pool.linear", 3 * pooled, regular)
        self.norm(f"{name}.norm2", regular)
        self.activation(f"{name}.act2")
        self.convolution(f"{name}.conv2", 3, regular, channels, scale=0.5)

    def nested(self, name, inner, channels):
        narrow = max(2, channels // 2)
        self.words("nested_bottleneck_block", name, len(inner))
        self.start(name, channels)
        self.convolution(f"{name}.conv1", 1, channels, narrow)
        self.blocks(name, inner, narrow)
        self.norm(f"{name}.norm2", narrow)
        self.activation(f"{name}.act2")
        self.convolution(f"{name}.conv2", 1, narrow, channels, scale=0.5)

    def attention(self, name, _, channels):
        options = self.options
        heads, keys, query, value = options.heads, options.key_heads, options.query, options.value
        self.words("transformer_attention_block", name, heads, keys, query, value)
        self.words(int(options.rope != "none"), int(options.rope == "learned"))
        self.root_mean_square(f"{name}.norm", channels)
        self.matrix(f"{name}.q", channels, heads * query)
        self.matrix(f"{name}.k", channels, keys * query)
        self.matrix(f"{name}.v", channels, keys * value)
        self.matrix(f"{name}.out", heads * value, channels, scale=0.5)
        if options.rope == "learned":
            self.words(f"{name}.rope", keys, query // 2, 2)
            self.array(self.normal(keys, query // 2, 2, scale=0.3))
        elif options.rope == "fixed":
            self.words(f"{name}.rope", 100.0)

    def ffn(self, name, _, channels):
        self.words("transformer_ffn_block", name, channels, 2 * channels, 1)
        self.root_mean_square(f"{name}.norm", channels)
        self.matrix(f"{name}.linear1", channels, 2 * channels)
        self.matrix(f"{name}.gate", channels, 2 * channels)
        self.matrix(f"{name}.linear2", 2 * channels, channels, scale=0.5)

    def player(self, channels):
        self.words("player", PLAYER_NUMBERS)
        self.matrix("player.linear1", PLAYER_NUMBERS, channels)
        self.bias("player.bias1", channels)
        self.activation("player.act1")
        self.matrix("player.linear2", channels, channels)
        self.bias("player.bias2", channels)
        self.activation("player.act2")
        self.matrix("player.linear3", channels, channels)

    def trunk(self):
        options, channels = self.options, self.options.channels
        pooled = self.pooled(channels)
        self.words("trunk", len(options.blocks), channels, channels, channels - pooled, pooled, pooled)
        if options.version >= 15:
            self.words(int(options.tip != "batch"), 0, 0, 0, 0, 0)
        self.convolution("trunk.planes", options.window, PLANES, channels)
        self.matrix("trunk.numbers", NUMBERS, channels)
        if options.player:
            self.player(channels)
        self.blocks("trunk", options.blocks, channels)
        if options.tip == "batch":
            self.norm("trunk.tip", channels)
        else:
            self.words("trunk.tip", channels, 1e-06, int(options.tip == "board"), 0)
            self.array(self.random.uniform(0.5, 1.5, channels))
            self.array(self.normal(channels, scale=0.3))
        self.activation("trunk.act", options.tip_activation)

    def policy(self):
        options, channels, head = self.options, self.options.channels, self.options.head
        policies = 1 if options.version < 12 else 2 if options.version < 16 else 4
        self.words("policy")
        if options.version >= 17:
            policies = options.policies
            self.words(policies, 0, 0, 0)
        self.convolution("policy.conv1", 1, channels, head)
        self.convolution("policy.pool", 1, channels, head)
        self.norm("policy.pool.norm", head)
        self.activation("policy.pool.act")
        self.matrix("policy.pool.linear", 3 * head, head)
        self.norm("policy.norm", head)
        self.activation("policy.act")
        self.convolution("policy.conv2", 1, head, policies)
        if options.version < 15:
            self.matrix("policy.pass", 3 * head, policies)
            return
        self.matrix("policy.pass", 3 * head, head)
        self.bias("policy.pass.bias", head)
        self.activation("policy.pass.act")
        self.matrix("policy.pass2", head, policies)

    def value_head(self):
        channels, head, version = self.options.channels, self.options.head, self.options.version
        hidden, scores = 2 * head, 6 if version >= 9 else 4
        self.words("value")
        if version >= 17:
            self.words(0, 0, 0)
        self.convolution("value.conv1", 1, channels, head)
        self.norm("value.norm", head)
        self.activation("value.act")
        self.matrix("value.linear2", 3 * head, hidden)
        self.bias("value.bias2", hidden)
        self.activation("value.act2")
        self.matrix("value.outcome", hidden, 3)
        self.bias("value.outcome.bias", 3)
        self.matrix("value.scores", hidden, scores)
        self.bias("value.scores.bias", scores)
        self.convolution("value.ownership", 1, head, 1)

    def file(self):
        options = self.options
        self.words(options.name, options.version, PLANES, NUMBERS)
        if options.version >= 13:
            self.words(20.0, 21.0, 22.0, 23.0, 41.0, 0.25, 150.0)
        if options.version >= 15:
            self.words(int(options.player), int(options.alive_under_suicide), 0, 0, 0, 0, 0, 0)
        self.trunk()
        self.policy()
        self.value_head()
        return b"".join(self.parts)


def blocks(text):
    """`a,b(c,d)` as a list of names, each with the list in its brackets."""
    stack = [[]]
    for word in text.replace("(", " ( ").replace(")", " ) ").replace(",", " ").split():
        if word == "(":
            stack.append([])
        elif word == ")":
            inner = stack.pop()
            stack[-1][-1] = (stack[-1][-1][0], inner)
        elif word in ("ordinary", "gpool", "nested", "attention", "ffn"):
            stack[-1].append((word, []))
        else:
            raise argparse.ArgumentTypeError(f"{word} is no kind of block")
    return stack[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--version", type=int, default=14)
    parser.add_argument("--blocks", type=blocks, default="ordinary,gpool")
    parser.add_argument("--channels", type=int, default=8)
    parser.add_argument("--head", type=int, default=4, help="channels of the heads")
    parser.add_argument("--window", type=int, default=3, help="side of the first convolution's window")
    parser.add_argument("--dilation", type=int, default=1, help="of the first convolutions of ordinary blocks")
    kinds = ["identity", "relu", "mish", "silu"]
    parser.add_argument("--activation", choices=kinds, default="relu", help="from version 11 on")
    parser.add_argument("--tip", choices=["batch", "point", "board"], default="batch", help="the trunk's last norm")
    parser.add_argument("--tip-activation", choices=kinds, help="if another one")
    parser.add_argument("--rope", choices=["none", "fixed", "learned"], default="learned")
    parser.add_argument("--heads", type=int, default=2)
    parser.add_argument("--key-heads", type=int, default=2)
    parser.add_argument("--query", type=int, default=4, help="channels of a head's queries")
    parser.add_argument("--value", type=int, default=4, help="channels of a head's values")
    parser.add_argument("--policies", type=int, choices=[2, 4], default=2, help="from version 17 on")
    parser.add_argument("--player", action="store_true", help="an encoder of players, from version 15 on")
    parser.add_argument("--alive-under-suicide", action="store_true", help="from version 15 on")
    parser.add_argument("--text", action="store_true", help="arrays as text")
    parser.add_argument("--name", default="random")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    data = Writer(options).file()
    if options.file.endswith(".gz"):
        data = gzip.compress(data, 9, mtime=0)
    with open(options.file, "wb") as file:
        file.write(data)


if __name__ == "__main__":
    main()
