"""Every module and every public name has a docstring."""

import importlib
import inspect
import pkgutil

import pytest

import millebornes

PACKAGES = sorted(
    {"millebornes"}
    | {
        f"millebornes.{module.name}"
        for module in pkgutil.iter_modules(millebornes.__path__)
        if module.ispkg
    }
)
MODULES = sorted(
    {
        module.name
        for module in pkgutil.walk_packages(millebornes.__path__, "millebornes.")
        if not module.name.endswith("__main__")
    }
    | {"millebornes"}
)


@pytest.mark.parametrize("name", MODULES)
def test_every_module_opens_with_what_it_is_for(name: str) -> None:
    assert (importlib.import_module(name).__doc__ or "").strip()


@pytest.mark.parametrize("name", PACKAGES)
def test_every_package_says_what_is_public(name: str) -> None:
    package = importlib.import_module(name)
    assert len(set(package.__all__)) == len(package.__all__)
    assert all(hasattr(package, public) for public in package.__all__)


@pytest.mark.parametrize("name", MODULES)
def test_every_public_class_and_function_has_a_docstring(name: str) -> None:
    module = importlib.import_module(name)
    missing = []
    for public in getattr(module, "__all__", ()):
        value = getattr(module, public)
        if inspect.isfunction(value):
            missing += [public] if not value.__doc__ else []
        elif inspect.isclass(value):
            missing += undocumented(public, value)
    assert missing == []


def undocumented(name: str, cls: type) -> list[str]:
    """The class and its own public methods and properties that have no docstring."""
    found = []
    # A dataclass or a named tuple without one gets its signature instead.
    if not cls.__doc__ or cls.__doc__.startswith(f"{cls.__name__}("):
        found.append(name)
    for attribute, value in vars(cls).items():
        if attribute.startswith("_"):
            continue
        if isinstance(value, staticmethod | classmethod):
            value = value.__func__  # noqa: PLW2901
        if isinstance(value, property):
            value = value.fget  # noqa: PLW2901
        is_function = inspect.isfunction(inspect.unwrap(value) if callable(value) else value)
        # `getdoc` also finds the docstring of the method that this one overrides.
        if is_function and not inspect.getdoc(value):
            found.append(f"{name}.{attribute}")
    return found
