"""The programs that memory knows by name. Tables only."""

from __future__ import annotations


def names(text: str, between: str | None = None) -> frozenset[str]:
    """Many short names, in as few lines as they need."""
    return frozenset(name.strip() for name in text.split(between))


WRAPPERS: dict[str, str] = {
    # A program that runs another, and which of its options take a value.
    "sudo": "u g h p C D R T U",
    "doas": "u C",
    "time": "f o",
    "nohup": "",
    "env": "u C S",
    "command": "",
    "exec": "a",
    "nice": "n",
    "ionice": "c n p",
    "stdbuf": "i o e",
    "caffeinate": "t w",
    "timeout": "s k",
    "gtimeout": "s k",
    "unbuffer": "",
    "setsid": "",
    "chronic": "",
    "xvfb-run": "s n e",
    "winpty": "",
    "script": "c",
}
WITHOUT_EFFECT = frozenset({"env", "time", "nohup", "command", "exec", "--"})
ONLY_SHOW = names(
    "NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE TERM COLUMNS PAGER GIT_PAGER RUST_BACKTRACE RUST_LOG GOTRACEBACK "
    "DEBUG VERBOSE LOG_LEVEL PYTHONUNBUFFERED PYTHONFAULTHANDLER PYTHONDONTWRITEBYTECODE"
)
"""Variables by which a program shows more, or in other colours, and does the same."""
KEYWORDS = names("then do else if elif while until ! {")
RUNNERS: dict[str, str] = {
    # They start the same program in the project's own environment.
    "poetry run": "",
    "uv run": "-with -extra -group -python p -directory -project -env-file",
    "uvx": "-from -with -python",
    "uv tool run": "-from -with",
    "pipenv run": "",
    "pipx run": "-spec",
    "hatch run": "",
    "pdm run": "",
    "rye run": "",
    "conda run": "n p -name -prefix",
    "npx": "p -package c",
    "bunx": "",
    "npm exec": "",
    "pnpm exec": "",
    "pnpm dlx": "",
    "yarn dlx": "",
    "yarn exec": "",
    "bundle exec": "",
    "direnv exec": "",
    "mise exec": "",
    "dotenv run": "f",
}
SCRIPT_RUNNERS = frozenset({"yarn", "yarn run", "pnpm", "pnpm run", "bun", "bun run"})
"""They run a script of the project's or a program: a program when it is one of TOOLS."""
TOOLS = names(
    "jest vitest mocha ava tap karma cypress playwright tsc vue-tsc eslint prettier biome stylelint tsup "
    "rollup webpack vite next nuxt astro ts-node tsx prisma knex sequelize turbo nx lerna storybook "
    "svelte-check oxlint xo c8 nyc"
)
MODULES = names(
    "pytest mypy ruff unittest black isort flake8 pylint tox nox pip venv build twine bandit pyright "
    "pre_commit django coverage compileall py_compile doctest alembic sphinx uvicorn gunicorn celery "
    "flask poetry pipenv uv hatch"
)
NAMES: dict[str, str] = {
    "python3": "python",
    "python2": "python",
    "python3.9": "python",
    "python3.10": "python",
    "python3.11": "python",
    "python3.12": "python",
    "python3.13": "python",
    "python3.14": "python",
    "py": "python",
    "pip3": "pip",
    "py.test": "pytest",
    "pre_commit": "pre-commit",
    "nodejs": "node",
    "./gradlew": "gradle",
    "gradlew": "gradle",
    "gradlew.bat": "gradle",
    "./mvnw": "mvn",
    "mvnw": "mvn",
    "docker-compose": "docker compose",
    "podman-compose": "docker compose",
    "gmake": "make",
    "tofu": "terraform",
}
SCRIPTS: dict[str, str] = {
    "manage.py": "python manage.py",
    "setup.py": "python setup.py",
    "artisan": "php artisan",
}
"""How a script is typed that counts as a program of its own."""
LONG_FORMS: dict[str, str] = {
    **{typed: script for script, typed in SCRIPTS.items()},
    "npm t": "npm test",
    "npm tst": "npm test",
    "npm run test": "npm test",
    "npm run-script": "npm run",
    "npm i": "npm install",
    "npm add": "npm install",
    "npm clean-install": "npm ci",
    "npm start": "npm run start",
    "pnpm i": "pnpm install",
    "pnpm t": "pnpm test",
    "pnpm run test": "pnpm test",
    "yarn run test": "yarn test",
    "bun run test": "bun run test",
    "bun i": "bun install",
    "cargo t": "cargo test",
    "cargo b": "cargo build",
    "cargo c": "cargo check",
    "cargo r": "cargo run",
    "cargo nextest run": "cargo nextest",
    "uv pip": "pip",
    "git co": "git checkout",
    "git st": "git status",
    "git ci": "git commit",
    "docker container": "docker",
    "docker image": "docker",
    "docker buildx build": "docker build",
    "deno task test": "deno test",
    "vitest run": "vitest",
    "./manage.py": "manage.py",
}
SUBCOMMANDS: dict[str, int] = dict.fromkeys(
    names(
        "git npm yarn pnpm bun cargo go docker podman kubectl helm pip poetry uv pipenv pdm hatch conda mamba "
        "make just gradle mvn sbt terraform gh glab brew apt apt-get dnf yum apk pacman systemctl journalctl "
        "ruff deno dotnet swift mix rake rails composer bundle gem rustup alembic flask manage.py setup.py "
        "prisma next vite nx turbo lerna ansible bazel meson flutter dart zig stack cabal python node ruby "
        "php bash sh perl java tsx ts-node aws gcloud az pre-commit task firebase supabase vercel wrangler "
        "fly heroku playwright cypress biome cmake tox nox nvm pyenv asdf mise artisan buf protoc redis-cli "
        "minikube kind vagrant packer consul vault"
    ),
    1,
)
VALUED: dict[str, frozenset[str]] = {
    # Options with a value that may stand before the subcommand.
    "docker": names("-f --file -p --project-name --profile --env-file --project-directory -H --context"),
    "kubectl": frozenset(["-n", "--namespace", "--context", "--kubeconfig"]),
    "helm": frozenset(["-n", "--namespace", "--kube-context"]),
    "npm": frozenset(["-w", "--workspace"]),
    "pnpm": frozenset(["--filter", "-F"]),
    "mvn": frozenset(["-f", "--file", "-pl", "--projects", "-P", "-s"]),
    "gradle": frozenset(["-p", "-b", "--project-dir"]),
    "make": frozenset(["-f", "-I", "-o"]),
    "aws": frozenset(["--profile", "--region"]),
    "gh": frozenset(["-R", "--repo"]),
}
INTERPRETERS = names("python node bash sh ruby php perl tsx ts-node java")
DEEPER: dict[str, int] = dict.fromkeys(
    names(
        "docker compose, npm run, yarn run, pnpm run, bun run, deno task, kubectl rollout, kubectl config, "
        "git stash, git remote, git submodule, git worktree, git bisect, gh pr, gh issue, gh run, gh repo, gh "
        "release, gh workflow, gh api, helm repo, aws s3, aws ec2, aws lambda, aws iam, gcloud compute, "
        "gcloud run, az vm, terraform state, uv tool, uv python, poetry env, dotnet tool, dotnet ef, docker "
        "network, docker volume, docker system, bundle config, prisma migrate, prisma db, yarn workspace, "
        "cargo xtask",
        ",",
    ),
    1,
)
PAGERS = names("tail head cat less more tee ts nl column bat ansi2txt")
VERBOSE = names(
    "pytest tox nox unittest jest vitest mocha rspec phpunit ctest behave nosetests trial manage.py pip "
    "mypy ruff flake8 pylint black eslint gradle mvn cargo go make npm prettier isort pre-commit"
)
PARALLEL = names("make ninja pytest ctest cmake cargo gradle bazel rake mypy pylint meson")
QUIET = names(
    "--color --colors --colour --no-color --no-colors --no-colour --no-pager --progress --no-progress "
    "--nocolor --no-ansi --ansi --no-header --no-summary --force-color"
)
QUIET_VALUES = frozenset(["--seed", "--random-seed", "--randomly-seed", "--random_seed", "--test-seed"])
QUIET_OF: dict[str, frozenset[str]] = {
    "pytest": names(
        "--verbose --quiet --silent --exitfirst --tb --capture --showlocals -l --full-trace --durations "
        "--no-cov --cov-report -rA -ra --disable-warnings --disable-pytest-warnings --show-capture "
        "--cache-clear --maxfail --randomly-seed --verbosity --durations-min --instafail --sw-reset"
    ),
    "mypy": names(
        "--verbose --quiet --silent --pretty --no-pretty --show-error-codes --no-error-summary --show-column-numbers"
    ),
    "ruff": names("--verbose --quiet --silent --output-format --no-cache --show-source --statistics"),
    "jest": names(
        "--verbose --quiet --silent --coverage --runInBand -i --detectOpenHandles --forceExit --watchAll "
        "--no-cache --ci"
    ),
    "vitest": names("--verbose --quiet --silent --reporter --coverage --no-coverage"),
    "mocha": frozenset(["--reporter", "-R", "--bail", "-b", "--exit"]),
    "eslint": frozenset(["--quiet", "--format", "-f", "--cache", "--no-cache"]),
    "tsc": frozenset(["--pretty", "--noErrorTruncation"]),
    "cargo": names(
        "--verbose --quiet --silent --message-format --nocapture --no-fail-fast --offline --locked --frozen"
    ),
    "go": frozenset(["-v", "-count", "-json", "-failfast", "-race", "-x"]),
    "gradle": names(
        "--verbose --quiet --silent --console --stacktrace --info --debug --no-daemon --offline --rerun-tasks "
        "--continue -i"
    ),
    "mvn": names("-B -e -X -ntp --batch-mode --no-transfer-progress -o -U --errors --fail-at-end"),
    "npm": frozenset(["--silent", "--loglevel", "--no-audit", "--no-fund", "--verbose", "--quiet"]),
    "pnpm": frozenset(["--silent", "--reporter", "--loglevel"]),
    "yarn": frozenset(["--silent", "--verbose"]),
    "make": frozenset(["--silent", "--no-print-directory", "-k", "--keep-going", "-s", "-B"]),
    "pip": names("--verbose --quiet --silent --disable-pip-version-check --no-input --no-cache-dir --progress-bar"),
    "ctest": frozenset(["--output-on-failure", "--verbose", "-V", "-VV", "--progress"]),
    "rspec": frozenset(["--format", "-f", "--fail-fast", "--backtrace", "-b"]),
    "phpunit": frozenset(["--testdox", "--verbose", "--stop-on-failure", "--no-coverage"]),
    "docker": frozenset(["--quiet", "-q", "--progress", "--no-cache"]),
    "unittest": names("-v -q -f -b --verbose --quiet --failfast --buffer --locals"),
    "manage.py": names("-v --verbosity --failfast --keepdb --noinput --no-input --parallel"),
    "apt-get": frozenset(["-y", "--yes", "-q", "-qq", "--quiet", "--assume-yes"]),
    "apt": frozenset(["-y", "--yes", "-q", "-qq", "--quiet", "--assume-yes"]),
    "curl": names("-s -S -sS -v --silent --verbose --show-error --progress-bar"),
    "git": frozenset(["--quiet", "--verbose", "-q"]),
}
QUIET_VALUES_OF: dict[str, frozenset[str]] = {
    "pytest": names("--tb --capture --durations --maxfail --cov-report --show-capture -p -c --verbosity"),
    "ruff": frozenset({"--output-format"}),
    "jest": frozenset({"--maxWorkers", "-w"}),
    "vitest": frozenset({"--reporter"}),
    "mocha": frozenset({"--reporter", "-R", "--timeout"}),
    "eslint": frozenset({"--format", "-f"}),
    "cargo": frozenset({"--message-format", "--test-threads"}),
    "gradle": frozenset({"--console"}),
    "npm": frozenset({"--loglevel"}),
    "rspec": frozenset({"--format", "-f"}),
    "docker": frozenset({"--progress"}),
    "manage.py": frozenset({"-v", "--verbosity"}),
    "pip": frozenset({"--progress-bar"}),
}
