""".NET: NuGet, MSBuild, the compilers, Entity Framework."""

from __future__ import annotations

from hardwon.text.errors.form import Form, Rank, form

_END = r"(?: \[[^\]]{1,300}\])?$"

FORMS: tuple[Form, ...] = (
    form(
        "dotnet {code} {package}",
        "error NU1",
        r"\berror (?P<code>NU1\d{3}): (?:Warning As Error: )?(?:Detected package downgrade:|Unable to find package"
        r"|Unable to resolve|Package) '?(?P<package>[\w.-]{1,160}?)(?=[.,;:']?(?:\s|$))",
        Rank.COMPILER,
    ),
    form(
        "dotnet {code} {text}",
        "error ",
        r"\berror (?P<code>(?:NU|MSB|NETSDK)\d{3,5}): (?:Warning As Error: )?(?P<text>.{1,240}?)" + _END,
        Rank.COMPILER,
    ),
    form(
        "{code} {text} {file}",
        ": error ",
        r"^(?P<file>.{1,300}?\.(?:cs|fs|vb|razor|cshtml))\(\d+,\d+(?:,\d+,\d+)?\): error "
        r"(?P<code>(?:CS|FS|BC|RZ)\d{3,5}):"
        r" (?P<text>.{1,240}?)" + _END,
        Rank.COMPILER,
    ),
    form(
        "{code} {text}",
        " : error ",
        r"^(?:CSC|FSC|VBC) : error (?P<code>(?:CS|FS|BC)\d{3,5}): (?P<text>.{1,240}?)" + _END,
        Rank.COMPILER,
    ),
    form(
        "dotnet ef {text}",
        "Unable to create a 'DbContext'",
        r"Unable to create a 'DbContext' of type '[^']{0,200}'\. The exception '(?P<text>.{1,300}?)' was thrown",
    ),
    form(
        "dotnet ef no context {symbol}",
        "Unable to create an object of type",
        r"Unable to create an object of type '(?P<symbol>[^']{1,160})'",
    ),
    form("dotnet no project", "Couldn't find a project to run", r"Couldn't find a project to run"),
    form(
        "dotnet tool {name}", "dotnet-", r"(?:No executable found matching command|run) '?(?P<name>dotnet-[\w-]{1,60})"
    ),
    form("dotnet service {symbol}", "No service for type", r"No service for type '(?P<symbol>[^']{1,200})'"),
    form("dotnet service {symbol}", "resolve service for type", r"resolve service for type '(?P<symbol>[^']{1,200})'"),
)
