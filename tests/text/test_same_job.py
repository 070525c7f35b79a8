"""Which command may be told in the place of another: one that does the same job, and nothing that undoes it."""

from __future__ import annotations

import pytest

from hardwon.text.commands import can_replace
from hardwon.text.commands.destroying import destroys
from hardwon.text.commands.normal import essential

SAME = [
    ("npm install", "pnpm install"),
    ("yarn test", "npm test"),
    ("npm install left-pad", "yarn add left-pad"),
    ("pip install flask", "uv pip install flask"),
    ("pip install flask", "python3 -m pip install flask"),
    ("python seed.py", "python3 seed.py"),
    ("docker-compose up -d", "docker compose up -d"),
    ("docker run web", "podman run web"),
    ("mvn package", "./mvnw package"),
    ("mvn package", "mvn clean package"),
    ("gradle build", "./gradlew build"),
    ("apt install jq", "apt-get install jq"),
    ("vim notes.txt", "nvim notes.txt"),
    ("sh check.sh", "bash check.sh"),
    ("./check.sh", "bash check.sh"),
    ("deploy.sh staging", "./scripts/deploy.sh staging"),
    ("node seed.ts", "npx tsx seed.ts"),
    ("cp -r . out", "rsync -a ./ out/"),
    ("git apply a.patch", "patch -p1 < a.patch"),
    ("git checkout main", "git switch main"),
    ("go get example.org/tool", "go install example.org/tool"),
    ("gzip logs/*.log", "find logs -name '*.log' | xargs gzip"),
    ("gzip logs/*.log", "find logs -name '*.log' -exec gzip {} +"),
    ("make test", "make -C app test"),
    ("cmake -B build", "rm -rf build && cmake -B build"),
    ("cmake -B build", "rm -rf build && cmake -B build -G Ninja"),
    ("make", "make clean && make"),
    ("git rm a.yml", "git rm --cached a.yml"),
    ("npm run biuld", "npm run build"),
    ("python billing/report.py", "python -m billing.report"),
    ("./configure --enable-gui", "./configure --disable-gui"),
    ("git push", "git push -u origin main"),
    ("npx eslint .", "npx eslint@8 ."),
    ("npx eslint@9.4.0 .", "npx eslint@8 ."),
    ("npx create-shop web", "npx create-shop@latest web"),
    ("npx @tidy/lint .", "npx @tidy/lint@2 ."),
]
ANOTHER = [
    ("./deploy@staging run", "./deploy@prod run"),
    ("bash deploy@staging", "bash deploy@prod"),
    ("createdb shop", "dropdb shop"),
    ("createdb shop", "createuser shop"),
    ("mkdir build", "rm build"),
    ("mkdir build", "rmdir build"),
    ("./start.sh worker", "./stop.sh worker"),
    ("bash scripts/start.sh worker", "bash scripts/stop.sh worker"),
    ("make start-worker", "make stop-worker"),
    ("./seed.sh demo", "./inspect.sh demo"),
    ("python seed.py demo", "python inspect.py demo"),
    ("./deploy staging", "./unlock staging"),
    ("./lock staging", "./unlock staging"),
    ("npm run migrate:up", "npm run migrate:down"),
    ("npm run build", "npm run test"),
    ("docker compose up web", "docker compose down web"),
    ("docker compose down", "docker compose down -v"),
    ("docker compose up web", "docker compose build web"),
    ("pip install flask", "pip uninstall flask"),
    ("apt install jq", "apt-get purge jq"),
    ("npm install left-pad", "yarn remove left-pad"),
    ("systemctl enable web", "systemctl disable web"),
    ("useradd ann", "userdel ann"),
    ("mount /mnt/data", "umount /mnt/data"),
    ("gzip a.log", "gunzip a.log"),
    ("git push origin main", "git pull origin main"),
    ("git push origin main", "git fetch origin main"),
    ("git push", "git push --force"),
    ("git push", "git push -f origin main"),
    ("git pull", "git reset --hard origin/main"),
    ("git checkout main", "git checkout -f main"),
    ("git checkout main", "git clean -fd"),
    ("git stash", "git stash drop"),
    ("git merge next", "git merge --abort"),
    ("git branch next", "git branch -D next"),
    ("terraform apply", "terraform apply -destroy"),
    ("terraform apply", "terraform destroy"),
    ("kubectl apply -f web.yaml", "kubectl delete -f web.yaml"),
    ("prisma db push", "prisma db push --accept-data-loss"),
    ("rails db:migrate", "rails db:drop"),
    ("psql shop -f new.sql", "psql shop -c 'drop table orders'"),
    ("createdb shop", "dropdb shop && createdb shop"),
    ("git pull", "git reset --hard && git pull"),
    ("make", "make clean"),
    ("make", "make help"),
    ("./deploy staging", "./deploy staging --dry-run"),
    ("cat notes.txt", "ls notes.txt"),
    ("./run.sh web", "kill web"),
    ("npx start-worker@2 web", "npx stop-worker@2 web"),
    ("npx @tidy/lint .", "npx @other/format@2 ."),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_the_same_job(before: str, after: str) -> None:
    assert can_replace(before, after, near=False)


@pytest.mark.parametrize(("before", "after"), ANOTHER)
@pytest.mark.parametrize("near", [False, True])
def test_another_job(before: str, after: str, near: bool) -> None:
    """Whatever arguments they share: a wrong way costs more than one that is not told."""
    assert not can_replace(before, after, near=near)


def test_a_slip_of_the_pen_in_a_program() -> None:
    """Where there is no such program, one of nearly that name was meant; where there is, they are two."""
    assert can_replace("./depoly.sh web", "./deploy.sh web", near=True)
    assert not can_replace("./deploy-web.sh x", "./deploy-api.sh x", near=False)


@pytest.mark.parametrize(
    ("command", "is_it"),
    [
        ("rm -rf build", True),
        ("dropdb shop", True),
        ("docker system prune", True),
        ("find . -name '*.orig' -delete", True),
        ("aws s3 rm s3://b/k", True),
        ("./wipe-all.sh", True),
        ("python drop_users.py", True),
        ("cargo clean", True),
        ("npm run db:reset", True),
        ("rsync -a --delete a b", True),
        ("git reset HEAD a.py", False),
        ("git commit -m 'remove the flag'", False),
        ("npm install", False),
        ("docker compose down", False),
    ],
)
def test_what_destroys(command: str, is_it: bool) -> None:
    assert any(map(destroys, essential(command))) is is_it
