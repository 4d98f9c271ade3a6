"""A program that speaks GTP, asked by a script. Standard library only."""
import subprocess
import threading


class Refused(Exception):
    """The program answers with an error."""


class Program:
    """A program that speaks GTP. It is killed where its answers take longer than `hang` seconds; a program that ends ends the script."""

    def __init__(self, command, hang=None, stderr=None):
        self.name, self.hang = command[0], hang
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, text=True)

    def ask(self, command):
        """The answer without its sign. Raises Refused."""
        return self.ask_all([command])[0]

    def ask_all(self, commands):
        """Answers to commands that are sent at once, without their signs. Raises Refused, after all of them."""
        timer = threading.Timer(self.hang, self.process.kill) if self.hang else None
        if timer:
            timer.start()
        self.process.stdin.write("".join(f"{command}\n" for command in commands))
        self.process.stdin.flush()
        told = [self._answer(command) for command in commands]
        if timer:
            timer.cancel()
        for command, answer in zip(commands, told):
            if not answer.startswith("="):
                raise Refused(f"{self.name}: '{command}' was answered by '{answer}'")
        return [answer[1:].strip() for answer in told]

    def accepts(self, command):
        """Whether the program does as it is told."""
        try:
            self.ask(command)
        except Refused:
            return False
        return True

    def close(self):
        """Has the program end. Raises where it does so by anything but its own will."""
        self.ask("quit")
        if self.process.wait(10) != 0:
            raise SystemExit(f"{self.name} has ended with {self.process.returncode}")

    def _answer(self, command):
        lines = []
        # Empty lines before an answer are none of it.
        while (line := self.process.stdout.readline()) != "\n" or not lines:
            if not line:
                raise SystemExit(f"{self.name} has ended at '{command}'")
            if line != "\n":
                lines.append(line.rstrip("\n"))
        return "\n".join(lines)
