//! Python with written types: what a context manager gives, classes as arguments, generic classes, functions inside of
//! properties. Every member is in two types, so that its name alone says nothing.

use super::{assert_has, assert_lacks, edges};

/// What the fixtures of this file use.
const SHAPES: &str = "//- shapes.py
from typing import Generic, TypeVar
T = TypeVar('T', bound='Shape')
class Shape:
    def area(self): ...
    def name(self): ...
class Square(Shape):
    def area(self): ...
class Line:
    def area(self): ...
    def name(self): ...
class Shapes(Generic[T]):
    def __iter__(self) -> Iterator[T]: ...
    def __getitem__(self, at: int) -> T: ...
    def first(self) -> T: ...
class Lines:
    def __iter__(self) -> Iterator[Line]: ...
    def __getitem__(self, at: int) -> Line: ...
";

#[test]
fn a_context_manager_gives_what_its_methods_or_its_generator_do() {
    let edges = edges(&format!(
        "{SHAPES}//- main.py
from contextlib import contextmanager, asynccontextmanager
from shapes import Square, Line
class Drawing:
    def __enter__(self) -> Square: ...
    def area(self): ...
class Other:
    def __enter__(self): return self
    def area(self): ...
class Silent(Other):
    pass
@contextmanager
def drawn() -> Iterator[Square]: ...
@asynccontextmanager
async def generated() -> AsyncGenerator[Line, None]: ...
def entered():
    with Drawing() as square:
        square.area()
def itself():
    with Other() as other:
        other.area()
def inherited():
    with Silent() as other:
        other.area()
def by_iterator():
    with drawn() as one:
        one.area()
async def by_generator():
    async with generated() as line:
        line.area()
",
    ));
    assert_has(
        &edges,
        &[
            "main.py:entered -call-> shapes.py:Square.area (receiver)",
            "main.py:itself -call-> main.py:Other.area (receiver)",
            "main.py:inherited -call-> main.py:Other.area (receiver)",
            "main.py:by_iterator -call-> shapes.py:Square.area (receiver)",
            "main.py:by_generator -call-> shapes.py:Line.area (receiver)",
        ],
    );
}

#[test]
fn a_class_as_an_argument_is_the_type_of_the_result() {
    let edges = edges(&format!(
        "{SHAPES}//- main.py
from typing import cast
from shapes import Shape, Shapes, Square, Line, T
class Page:
    @overload
    def one(self, selector: str) -> Shape: ...
    @overload
    def one(self, selector: type[T]) -> T: ...
    @overload
    def one(self, selector: str, expected: type[T]) -> T: ...
    def one(self, selector: str | type[T], expected: type[T] | None = None) -> T | Shape: ...
    @overload
    def every(self, selector: str) -> Shapes[Shape]: ...
    @overload
    def every(self, selector: type[T]) -> Shapes[T]: ...
    def every(self, selector): ...
    def registered(self, thing: T) -> T: ...
    def fixed(self, thing: type[Shape]) -> Line: ...
def by_class(page: Page):
    page.one(Square).area()
def by_text(page: Page):
    page.one('a').area()
def by_both(page: Page):
    page.one('a', expected=Square).area()
def looped(page: Page):
    for square in page.every(Square):
        square.area()
def indexed(page: Page):
    page.every(Square)[0].area()
def first(page: Page):
    page.every(Line).first().area()
def passed(page: Page):
    page.registered(Square).area()
def other(page: Page):
    page.fixed(Square).area()
def converted(thing):
    cast(Square, thing).area()
",
    ));
    assert_has(
        &edges,
        &[
            "main.py:by_class -call-> shapes.py:Square.area (receiver)",
            "main.py:by_text -call-> shapes.py:Shape.area (receiver)",
            "main.py:by_both -call-> shapes.py:Square.area (receiver)",
            "main.py:looped -call-> shapes.py:Square.area (receiver)",
            "main.py:indexed -call-> shapes.py:Square.area (receiver)",
            "main.py:first -call-> shapes.py:Line.area (receiver)",
            "main.py:other -call-> shapes.py:Line.area (receiver)",
            "main.py:converted -call-> shapes.py:Square.area (receiver)",
        ],
    );
    assert_lacks(
        &edges,
        &[
            "by_class -call-> shapes.py:Shape.area",
            "by_text -call-> shapes.py:Square.area",
            "other -call-> shapes.py:Square.area",
            "passed -call-> shapes.py:Square.area (receiver)",
        ],
    );
}

#[test]
fn objects_with_an_iterator_have_elements() {
    let edges = edges(&format!(
        "{SHAPES}//- main.py
from shapes import Lines, Shapes, Square
def looped(lines: Lines):
    for line in lines:
        line.area()
def indexed(lines: Lines):
    lines[0].area()
def generic(shapes: Shapes[Square]):
    for square in shapes:
        square.area()
def listed(shapes: Shapes[Square]):
    return [square.area() for square in shapes]
",
    ));
    assert_has(
        &edges,
        &[
            "main.py:looped -call-> shapes.py:Line.area (receiver)",
            "main.py:indexed -call-> shapes.py:Line.area (receiver)",
            "main.py:generic -call-> shapes.py:Square.area (receiver)",
            "main.py:listed -call-> shapes.py:Square.area (receiver)",
        ],
    );
}

#[test]
fn functions_inside_of_properties_and_modules_of_packages() {
    let edges = edges(
        "//- app/__init__.py
from app import settings
def __getattr__(name): ...
//- app/settings.py
LIMIT = 1
//- app/events.py
class Event: ...
//- main.py
from app import events, settings
class Color:
    @property
    def css(self) -> str:
        def written(number): ...
        return written(1)
def use():
    return events.Event()
",
    );
    assert_has(
        &edges,
        &[
            "main.py:Color.css -call-> main.py:Color.css.written (scope)",
            "main.py -import-> app/events.py (import)",
            "main.py:use -call-> app/events.py:Event (import)",
        ],
    );
    assert_lacks(&edges, &["main.py -import-> app/__init__.py"]);
}
