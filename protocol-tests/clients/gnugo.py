"""GNU Go as opponent and as referee: complete games on 9x9, both colours; every move must be legal to both programs,
and Losange's own final score must be the one that GNU Go gives the same moves."""
import os
import sys

from finished import GNUGO, Engine


def game(losange_is_black):
    # One thread, fixed seeds and the same numbers on every machine: the same games each time.
    losange = Engine(os.environ["LOSANGE"], "go", "--threads", "1", "--playouts", "400", "--seed", "1", "--backend", "portable")
    gnugo = Engine(GNUGO, "--mode", "gtp", "--chinese-rules", "--level", "1", "--seed", "1")
    for engine in (losange, gnugo):
        for command in ("boardsize 9", "clear_board", "komi 7.5"):
            engine.ask(command)
    losange.ask("kgs-rules chinese")
    movers = [losange, gnugo] if losange_is_black else [gnugo, losange]
    passes, moves = 0, []
    while passes < 2:
        assert len(moves) < 300, "the game does not end"
        colour = "bw"[len(moves) % 2]
        mover, other = movers[len(moves) % 2], movers[1 - len(moves) % 2]
        move = mover.ask(f"genmove {colour}").lower()
        if move == "resign":
            break
        moves.append(move)
        other.ask(f"play {colour} {move}")
        passes = passes + 1 if move == "pass" else 0
    if passes == 2:
        referee = Engine(GNUGO, "--mode", "gtp", "--chinese-rules", "--level", "10")
        for command in ("boardsize 9", "clear_board", "komi 7.5"):
            referee.ask(command)
        for number, move in enumerate(moves):
            referee.ask(f"play {'bw'[number % 2]} {move}")
        # A referee that knows no more than both players have said: dead stones are what is argued about.
        theirs, ours = referee.ask("final_score"), losange.ask("final_score")
        assert ours == theirs, f"final score: Losange says {ours}, GNU Go says {theirs}\n{losange.ask('showboard')}"
        dead = set(losange.ask("final_status_list dead").split())
        assert dead == set(referee.ask("final_status_list dead").split()), "they differ on dead stones"
        referee.close()
        result = ours
    else:
        result = f"{colour} resigns"
    losange.close()
    gnugo.close()
    return f"{len(moves)} moves, {result}"


if __name__ == "__main__":
    for black in (True, False):
        print(f"gnugo: Losange {'black' if black else 'white'}: {game(black)}")
    print("gnugo: passed")
    sys.exit(0)
