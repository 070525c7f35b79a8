from __future__ import annotations

import time

import pytest

from hardwon.text import commands
from hardwon.text.commands import normalise


@pytest.mark.parametrize(
    ("typed", "normal"),
    [
        ("make test", "make test"),
        ("  make   test ", "make test"),
        ("make test;", "make test"),
        ("make test &", "make test"),
        ("make \\\n  test", "make test"),
        ("cd /srv/app && make test", "make test"),
        ("cd 'my app' && cd sub; make test", "make test"),
        ("source .venv/bin/activate && pytest", "pytest"),
        ("export FOO=1; pytest", "pytest"),
        ("FOO=1 BAR='a b' make test", "make test"),
        ("sudo env FOO=1 make test", "make test"),
        ("sudo -u ann make test", "make test"),
        ("time nohup make test", "make test"),
        ("nice -n 10 stdbuf -oL make test", "make test"),
        ("timeout 60 make test", "make test"),
        ("timeout -k 5 2m make test", "make test"),
        ("$ make test", "make test"),
        ("bash -lc 'cd x && make test'", "make test"),
        ("poetry run pytest", "pytest"),
        ("uv run --extra dev pytest", "pytest"),
        ("pipenv run pytest", "pytest"),
        ("hatch run pytest", "pytest"),
        ("python3 -m pytest", "pytest"),
        (".venv/bin/python -m pytest", "pytest"),
        ("./node_modules/.bin/jest", "jest"),
        ("npx --yes jest", "jest"),
        ("pnpm exec jest", "jest"),
        ("yarn jest", "jest"),
        ("yarn build", "yarn build"),
        ("bundle exec rspec", "rspec"),
        ("./gradlew test --info", "gradle test"),
        ("docker-compose up -d", "docker compose up -d"),
        ("npm run test", "npm test"),
        ("npm t -- a.test.ts", "npm test -- a.test.ts"),
        ("npm i left-pad", "npm install left-pad"),
        ("cargo t", "cargo test"),
        ("cargo +nightly build", "cargo build"),
        ("git -C sub push", "git push"),
        ("git --no-pager log", "git log"),
        ("make -j8 test", "make test"),
        ("pytest -v -x -q --tb=short tests/a.py", "pytest tests/a.py"),
        ("pytest -vv -n auto --maxfail 3 --durations=5", "pytest"),
        ("pytest --color=yes -p no:cacheprovider", "pytest"),
        ("pytest --randomly-seed=123 --seed 4", "pytest"),
        ("go test ./... -v -count=1 -run TestX", "go test ./... -run TestX"),
        ("pytest 2>&1", "pytest"),
        ("pytest 2>/dev/null | tail -n 20", "pytest"),
        ("pytest | head", "pytest"),
        ("pytest 2>&1 | tee out.log", "pytest"),
        ("npm test | grep FAIL | cat", "npm test"),
        ("ps aux | grep node", "ps aux | grep node"),
        ("make test; echo $?", "make test"),
        ('make test; echo "exit: $?"', "make test"),
        ("make test || true", "make test"),
        ("make test > out.txt", "make test > out.txt"),
        ("python /tmp/tmpab12cd34/x.py", "python {tmp}/x.py"),
        ("python /tmp/repro.py", "python {tmp}/repro.py"),
        ("cat /tmp/tmp.Ab3dE6gH", "cat {tmp}"),
        ("git checkout 3f2a1bcdef", "git checkout {hash}"),
        ("run --id 3f2b8c1e-9a4d-4f0b-8e55-0b1f6a7c2d90", "run --id {uuid}"),
        ("backup --at 2024-05-01T10:00:00Z", "backup --at {time}"),
        ("serve --port 8080", "serve --port 8080"),
        ("pytest -k 'a and b'", "pytest -k 'a and b'"),
        ('pytest -k "a and b"', "pytest -k 'a and b'"),
        ('pytest "tests/a.py"', "pytest tests/a.py"),
        ('git commit -m "x y"', "git commit -m 'x y'"),
        ('echo "$HOME"', 'echo "$HOME"'),
        ("echo 'unfinished", "echo 'unfinished"),
        ("npm ci && npm test", "npm ci && npm test"),
        ("cdrecord && x", "cdrecord && x"),
        ("command -v node", "command -v node"),
        ("sudo", "sudo"),
        ("FOO=1", "FOO=1"),
        ("", ""),
    ],
)
def test_normalise(typed: str, normal: str) -> None:
    """One command has one form: what changes only how it is started, shown or seeded is gone, the rest stays."""
    assert normalise(typed) == normal
    assert normalise(normal) == normal


def test_two_scripts_are_two_commands() -> None:
    """A script on the standard input counts by its text, whatever it looks like."""
    one, other = (f"python - <<'EOF'\nprint({number})\nEOF" for number in (1, 2))
    assert normalise(one) != normalise(other)
    assert normalise(one) == normalise(one.replace("  ", " ")) == normalise(normalise(one))


@pytest.mark.parametrize(
    ("command", "family", "targets"),
    [
        ("pytest", "pytest", ()),
        ("uv run pytest -q tests/a.py", "pytest", ("tests/a.py",)),
        ("pytest tests/a.py -k x", "pytest", ("tests/a.py", "-k", "x")),
        ("npm test -- src/a.test.ts", "npm test", ("src/a.test.ts",)),
        ("npm run build:prod", "npm run build:prod", ()),
        ("cargo test adds", "cargo test", ("adds",)),
        ("git push origin main", "git push", ("origin", "main")),
        ("docker compose -f a.yml up -d", "docker compose up", ("-f", "a.yml", "-d")),
        ("kubectl -n prod get pods", "kubectl get", ("-n", "prod", "pods")),
        ("npm ci && npm test", "npm test", ()),
        ("make test; git status", "make test", ()),
        ("make V=1 test", "make test", ("V=1",)),
        ("python app.py --port 1", "python app.py", ("--port", "1")),
        ("python -c 'x'", "python", ("-c", "x")),
        ("for f in *; do make check; done", "make check", ()),
        ("cat a | grep b", "cat", ("a",)),
        ("", "", ()),
    ],
)
def test_family_and_targets(command: str, family: str, targets: tuple[str, ...]) -> None:
    """The family is the program and its subcommand, of the part that a line is about; targets are what is left."""
    assert (commands.family(command), commands.targets(command)) == (family, targets)


VALIDATIONS = """\
pytest
uv run pytest -x
npm test
npm run lint:fix
npm run test:unit
yarn build
pnpm run typecheck
tsc
npx tsc -p .
eslint src
mypy src
ruff check .
ruff format --check .
black --check .
cargo test
cargo clippy
cargo fmt --check
go vet ./...
make
make test
make lint
just check
gradle :app:compileKotlin
mvn package
cmake --build build
gcc a.c
rspec
rake spec
php artisan test
python test_x.py
node test.js
./scripts/check.sh
bash build.sh
python manage.py test
docker build .
npm ci && npm test
pre-commit run -a
bun test
deno task build
tox -e py311
dotnet build
mix test
"""
OTHERS = """\
cat test.txt
echo pytest
grep -r test .
git commit -m 'run pytest'
ls tests
vim test.py
rm -rf tests
pip install pytest
pytest --version
npm install
npm run dev
make install
make clean
docker compose up
python app.py
node server.js
cargo run
go run .
ruff format .
black .
cargo fmt
prettier --write .
terraform apply
git diff
python manage.py runserver
gradle bootRun
"""


@pytest.mark.parametrize("command", VALIDATIONS.splitlines())
def test_a_validation(command: str) -> None:
    """Tests, type checks, linters and builds check the work."""
    assert commands.is_validation(command)


@pytest.mark.parametrize("command", [*OTHERS.splitlines(), ""])
def test_no_validation(command: str) -> None:
    """The program decides, not a word in the line; what writes or serves checks nothing."""
    assert not commands.is_validation(command)


@pytest.mark.parametrize(
    ("one", "other", "broader"),
    [
        ("pytest", "pytest tests/a.py", True),
        ("pytest", "pytest -k x", True),
        ("pytest -k x", "pytest", False),
        ("pytest tests", "pytest tests/a.py::test_x", True),
        ("pytest tests/a.py", "pytest tests/b.py", False),
        ("pytest a b", "pytest a", True),
        ("uv run pytest -q", "pytest tests/a.py -x", True),
        ("npm test", "npm test -- src/a.test.ts", True),
        ("go test ./...", "go test ./pkg/x -run TestA", True),
        ("go test ./pkg/...", "go test ./pkg/x", True),
        ("cargo test adds", "cargo test", False),
        ("ruff check .", "ruff check src/a.py", True),
        ("mypy src/a.py", "mypy src", False),
        ("mvn test", "mvn -Dtest=Foo test", True),
        ("gradle test", "./gradlew test --tests Foo", True),
        ("vitest run", "npx vitest run src/a", True),
        ("npm ci && npm test", "npm test", True),
        ("make lint && make test", "make test", True),
        ("make test", "pytest", False),
        ("cargo check", "cargo test", False),
        ("python app.py", "python app.py", True),
        ("python app.py", "python app.py --debug", False),
        ("ls", "pytest", False),
    ],
)
def test_is_broader(one: str, other: str, broader: bool) -> None:
    """A pass of `one` is a pass of `other` when it is the same check over all that the other looked at."""
    assert commands.is_broader(one, other) is broader


LOOKING = """\
ls
cat a | grep b
ls 2>/dev/null
find . -name x
sed -n 1p f
awk '{print $1}' f
git status && git diff
git branch -a
git stash list
for f in *; do cat $f; done
command -v x
node --version
git log | head
cd x
pip list
docker ps
git config --get x
git remote -v
git tag
diff a b
kubectl get pods
echo $(ls)
ls | xargs grep x
test -f x
[ -f a ] && echo yes
psql shop -c 'SELECT max(id) FROM carts'
psql -h db -U me -tAc "select 1"
psql -c "select * from carts where name = 'delete me'"
psql -c '\\d carts'
psql -l
mysql -u root -e 'SHOW TABLES' shop
sqlite3 shop.db .tables
sqlite3 -header shop.db 'SELECT count(*) FROM carts WHERE id IN (1, 2)'
sqlite3 shop.db 'PRAGMA table_info(carts)'
"""
CHANGING = """\
psql shop -c "SELECT setval('carts_id_seq', (SELECT max(id) FROM carts))"
psql shop -c 'select refresh_totals()'
psql shop -c 'WITH gone AS (DELETE FROM carts RETURNING id) SELECT * FROM gone'
psql shop -c 'select 1; drop table carts'
psql shop -f change.sql
psql shop
psql shop -c 'select 1' > out.txt
mysql -e 'UPDATE carts SET total = 0' shop
sqlite3 shop.db 'PRAGMA user_version = 4'
sqlite3 shop.db 'select * into other from carts'
sqlite3 shop.db
echo x > f
echo x >> f
find . -delete
find . -exec rm {} ;
sed -i s/a/b/ f
git branch -D x
git branch new
git stash
git checkout x
rm x
python x.py
curl x
cat a | tee b
for f in *; do rm $f; done
ls | xargs rm
touch x
echo $(rm x)
sort -o a b
git config user.name x
git remote add o u
git tag v1
kubectl delete pod x
awk '{print > "f"}' a
"""


@pytest.mark.parametrize("command", [*LOOKING.splitlines(), "cat <<EOF\nrm x\nEOF"])
def test_only_looks(command: str) -> None:
    """Each part reads."""
    assert commands.only_looks(command)


@pytest.mark.parametrize("command", [*CHANGING.splitlines(), "cat <<EOF > f\nx\nEOF", ""])
def test_may_change_something(command: str) -> None:
    """A redirection, an option or an inner command that writes is enough."""
    assert not commands.only_looks(command)


@pytest.mark.parametrize(
    ("command", "waits", "books"),
    [
        ("sleep 5", True, True),
        ("sleep 5 && npm test", True, False),
        ("until curl -f localhost; do sleep 1; done", True, False),
        ("kubectl rollout status deploy/x", True, False),
        ("wait", True, True),
        ("git add -A && git commit -m 'x'", False, True),
        ("git push", False, True),
        ("git status", False, True),
        ("gh pr create --fill", False, True),
        ("ls -la", False, True),
        ("git checkout main", False, False),
        ("git stash", False, False),
        ("npm install", False, False),
        ("git commit -am x && make", False, False),
    ],
)
def test_waits_and_bookkeeping(command: str, waits: bool, books: bool) -> None:
    """Time that passes may be why something passes later; a commit is not."""
    assert (commands.waits(command), commands.bookkeeping(command)) == (waits, books)


@pytest.mark.parametrize(
    ("command", "around"),
    [
        ("pytest", ()),
        ("cd sub && FOO=1 uv run pytest", ("cd sub", "FOO=1", "uv run")),
        ("sudo -u ann make", ("sudo -u ann",)),
        ("bash -lc 'cd x && make'", ("cd x",)),
        ("time env make", ()),
        ("npx --yes jest", ("npx --yes",)),
    ],
)
def test_circumstances(command: str, around: tuple[str, ...]) -> None:
    """What `normalise` took away can still be why one call passes and the other doesn't."""
    assert commands.circumstances(command) == around


@pytest.mark.parametrize(
    ("command", "masked"),
    [
        ("pytest", False),
        ("pytest | tail", True),
        ("set -o pipefail; pytest | tail", False),
        ("pytest || true", True),
        ("pytest; echo done", True),
        ("cd x; pytest", False),
        ("npm ci && npm test", False),
    ],
)
def test_a_status_that_says_nothing(command: str, masked: bool) -> None:
    """The status of a line may be that of a pager, not of the check."""
    assert commands.masks_status(command) is masked


@pytest.mark.parametrize(
    "piece", ["a", "'", "$(", "a|", "\\", "`", "<<EOF\n", "- ", "/tmp/", "a=b ", "sudo ", '"a', "x;"]
)
def test_a_long_command_is_read_quickly(piece: str) -> None:
    """A command of a hundred thousand letters is cut, and takes no square of its length."""
    command = piece * (100_000 // len(piece))
    began = time.process_time()
    normalise(command), commands.only_looks(command), commands.is_validation(command)
    assert time.process_time() - began < 1.0
