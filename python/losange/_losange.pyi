"""Games, models and searches of Losange, compiled."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Final, Literal, final

import numpy as np
import numpy.typing as npt

__all__ = ["TERMINAL", "Evaluation", "Game", "Model", "MoveReport", "Report", "Search", "State", "__version__", "games"]

__version__: Final[str]

TERMINAL: Final[int]
"""``State.current_player()`` at the end of a game."""

def games() -> list[str]:
    """Words of all games, such as ``"hex"``."""

@final
class Game:
    """A game on a board, with its rules."""

    def __new__(
        cls,
        name: str,
        size: int | tuple[int, int] | None = None,
        *,
        rules: str = "chinese",
        komi: float = 7.5,
        swap: bool = False,
    ) -> Game:
        """The game of that word, on a square board or one of (columns, rows); on the usual one where none is given.

        ``rules`` (as of ``kata-set-rules``) and ``komi`` are Go's. ``swap`` lets the second player exchange sides in Hex.

        Raises ``ValueError`` where the game is unknown, or not played so.
        """

    @property
    def name(self) -> str:
        """Word of the game."""

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""

    def num_players(self) -> int:
        """2, or 1 in Solitaire."""

    def num_distinct_actions(self) -> int:
        """Number of actions, legal or not: actions are 0 to that number less one."""

    def observation_tensor_shape(self) -> list[int]:
        """Planes, rows and columns of ``State.observation_tensor()``."""

    def num_symmetries(self) -> int:
        """Number of symmetries of the board; number 0 changes nothing."""

    def new_initial_state(self) -> State:
        """The start of the game."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[str, tuple[int, int]], dict[str, Any]]: ...

@final
class State:
    """A position, and the moves that led to it."""

    @classmethod
    def from_sgf(cls, text: str) -> State:
        """The end of the main line of a record in SGF, whose game it names.

        Illegal moves are executed as they were drawn, as SGF demands; the moves before them are forgotten then.

        Raises ``ValueError`` where it cannot be read.
        """

    @property
    def game_name(self) -> str:
        """Word of the game."""

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""

    @property
    def key(self) -> int:
        """A hash of board and side to move, in 64 bits. Equal positions have equal ones, however they were reached."""

    def current_player(self) -> int:
        """0 or 1, or ``TERMINAL`` at the end."""

    def is_terminal(self) -> bool:
        """Whether the game is over."""

    def returns(self) -> list[float]:
        """Result of each player in -1..=1, 0 before the end."""

    def winner(self) -> int | None:
        """Number of the winner; None for a draw, and before the end. In Go all stones on the board count as alive."""

    def score(self) -> float | None:
        """Points by which player 0 is ahead at the end, 0 in games without points; None before the end. In Go as winner()."""

    def legal_actions(self) -> list[int]:
        """All legal actions, ascending; none at the end."""

    def legal_actions_mask(self) -> npt.NDArray[np.bool_]:
        """Whether each action is legal."""

    def num_distinct_actions(self) -> int:
        """As of ``Game``."""

    def apply_action(self, action: int) -> None:
        """Plays an action. Raises ``ValueError``, and changes nothing, where it is not legal."""

    def play(self, text: str) -> None:
        """Plays the move of that text. Raises as ``apply_action`` and ``string_to_action``."""

    def child(self, action: int) -> State:
        """The state after an action; this one stays as it is. Raises as ``apply_action``."""

    def undo(self, count: int = 1) -> None:
        """Takes moves back. Raises ``ValueError``, and changes nothing, where there are not so many."""

    def history(self) -> list[int]:
        """The actions so far."""

    def action_to_string(self, action: int) -> str:
        """Text of an action as the engine's protocols write it: ``D4``, ``A2-A3``, ``pass``.

        Raises ``ValueError`` where there is no such action, or it would leave the board.
        """

    def string_to_action(self, text: str) -> int:
        """The action of that text, legal or not. Raises ``ValueError`` where there is none."""

    def observation_tensor_shape(self) -> list[int]:
        """As of ``Game``; on a board that is no square it may differ with the side to move."""

    def observation_tensor(self, symmetry: int = 0) -> npt.NDArray[np.float32]:
        """What models see: planes, rows, columns, as the side to move sees the board, after a symmetry of it."""

    def board(self) -> npt.NDArray[np.int8]:
        """Pieces on each point, rows from the top: positive numbers are player 0's, negative ones player 1's."""

    def to_sgf(self) -> str:
        """The game as a record in SGF."""

    def clone(self) -> State:
        """A copy. It costs little: it is made when one of both changes."""

    def __copy__(self) -> State: ...
    def __deepcopy__(self, memo: object, /) -> State: ...
    @staticmethod
    def _restored(game: Game, actions: Sequence[int]) -> State: ...

@final
class Evaluation:
    """Numbers of a model for *n* states, seen by the side to move in each. States that are over have their result."""

    @property
    def value(self) -> npt.NDArray[np.float32]:
        """[n]: expected result in -1..=1."""

    @property
    def policy(self) -> npt.NDArray[np.float32] | None:
        """[n, actions]: prior of each action, 0 for those that are not legal; None where the model has no policy."""

    @property
    def action_values(self) -> npt.NDArray[np.float32] | None:
        """[n, actions]: expected result after each action, NaN for those that are not legal; None where the model has none."""

    @property
    def score(self) -> npt.NDArray[np.float32] | None:
        """[n]: expected lead in points."""

    @property
    def ownership(self) -> npt.NDArray[np.float32] | None:
        """[n, rows, columns]: expected owner of each point, 1 the side to move, -1 the other."""

@final
class Model:
    """A network that values positions of one game."""

    def __new__(
        cls, path: str | PathLike[str], *, game: str | None = None, backend: str = "auto", cache: int = 0
    ) -> Model:
        """Loads an ONNX model, a network of KataGo's or KataHex's, or the fastest of a folder's variants.

        ``game`` is needed for KataHex's networks only. ``backend`` is one of ``losange go --backend``'s. ``cache`` is
        the MiB for results of positions that come again.

        Raises ``OSError`` where the file cannot be read, ``ValueError`` where it is no model that fits.
        """

    @classmethod
    def builtin(cls, game: str, *, backend: str = "auto", cache: int = 0) -> Model | None:
        """The model of a game that is compiled in; None where there is none."""

    @property
    def game_name(self) -> str:
        """Word of the game."""

    @property
    def runtime(self) -> str:
        """Back end that runs it."""

    @property
    def outputs(self) -> list[str]:
        """Names of what it gives."""

    def serves(self, width: int, height: int) -> bool:
        """Whether it was made for such a board."""

    def evaluate(self, states: State | Sequence[State]) -> Evaluation:
        """Values one state or several on boards of one size. Other threads of Python run meanwhile.

        Raises ``ValueError`` for states of another game or board, ``RuntimeError`` where the model cannot be run.
        """

@final
class MoveReport:
    """What a search found of a move, seen by the side to move at the root."""

    @property
    def action(self) -> int: ...
    @property
    def move(self) -> str:
        """Its text."""

    @property
    def visits(self) -> int:
        """Times that it was searched."""

    @property
    def winrate(self) -> float:
        """Expected result in 0..=1, 1 a win."""

    @property
    def lcb(self) -> float:
        """Lower confidence bound of ``winrate``."""

    @property
    def prior(self) -> float:
        """Prior probability in 0..=1."""

    @property
    def score(self) -> float | None:
        """Expected lead in points, in games that have them."""

    @property
    def winner(self) -> int | None:
        """The player who is proven to win after it."""

    @property
    def pv(self) -> list[int]:
        """Actions of the principal variation, beginning with this one."""

@final
class Report:
    """What a search found, seen by the side to move."""

    @property
    def action(self) -> int:
        """The move to play."""

    @property
    def move(self) -> str:
        """Its text."""

    @property
    def player(self) -> int:
        """The side to move."""

    @property
    def winrate(self) -> float:
        """Expected result in 0..=1, 1 a win."""

    @property
    def score(self) -> float | None:
        """Expected lead in points, in games that have them."""

    @property
    def score_stdev(self) -> float | None:
        """Its standard deviation over playouts."""

    @property
    def winner(self) -> int | None:
        """The player who is proven to win."""

    @property
    def visits(self) -> int:
        """Visits of the root, those of earlier searches that still count among them."""

    @property
    def playouts(self) -> int:
        """Iterations of this search alone."""

    @property
    def seconds(self) -> float:
        """Its time."""

    @property
    def moves(self) -> list[MoveReport]:
        """The moves, best first. Those that were never visited may be left out."""

    @property
    def ownership(self) -> npt.NDArray[np.float32] | None:
        """[rows, columns]: expected owner of each point, 1 the side to move; if asked for and known."""

@final
class Search:
    """The engine's search of a game, with its solver, and its memory, which lives on from state to state."""

    def __new__(
        cls,
        game: Game | str,
        *,
        model: Model | Literal["builtin"] | None = "builtin",
        threads: int = 1,
        memory: int = 256,
        seed: int = 1,
        **params: str | float | bool,
    ) -> Search:
        """A search as ``losange GAME`` plays, with the model that is compiled in, another one, or none.

        ``memory`` is in MiB. With one thread, and playouts as the only limit, the same seed finds the same.
        ``params`` are those of ``losange params``.

        Raises ``ValueError`` where something does not fit.
        """

    @property
    def game_name(self) -> str:
        """Word of the game."""

    def set(self, name: str, value: str | float | bool) -> None:
        """Sets a parameter. Raises ``ValueError``, and changes nothing, where there is no such one or no such value."""

    def clear(self) -> None:
        """Forgets what was found."""

    def run(
        self,
        state: State,
        *,
        seconds: float | None = None,
        playouts: int | None = None,
        early_stop: bool = False,
        ownership: bool = False,
        on_report: Callable[[Report], object] | None = None,
        every: float = 0.1,
    ) -> Report:
        """Searches a state until the time or the playouts are used up, or the result is proven.

        What was found before is used where the state's game goes on from the last one. ``early_stop`` ends the search
        once its move cannot change any more. ``on_report`` is called with what was found so far, ``every`` so many
        seconds. Other threads of Python run meanwhile; Ctrl-C and an error of ``on_report`` end the search.

        Raises ``TypeError`` without a limit, ``ValueError`` where the state is over or of another game.
        """
