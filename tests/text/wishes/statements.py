"""Prompts that say how things stand."""

from __future__ import annotations

FIXED: list[str] = [
    "works now",
    "It works now, thanks!",
    "great, that fixed it",
    "The bug is fixed now.",
    "All tests are green now",
    "the build passes again",
    "好了",
    "搞定了，谢谢",
    "现在可以了",
    "直りました。ありがとうございます",
    "動いた！",
    "works now, next add a button",
    "that fixed it — please commit",
    "搞定了，接下来加一个按钮",
    "jetzt geht's",
    "ya funciona",
    "maintenant ça marche",
    "agora funciona",
    "adesso funziona",
    "теперь работает",
    "už to funguje",
    "이제 돼요",
]

NOT_FIXED: list[str] = [
    "works now, only slower",
    "it works now, at least on my machine",
    "好了，接下来加一个按钮",
    "jetzt geht es um den Parser",
    "geht jetzt, aber langsam",
    "ça marche",
    "funktioniert es jetzt?",
    "nice",
    "perfect",
    "Perfect, thanks!",
    "great job",
    "works now but the second test still fails",
    "it works now on Linux but not on Windows",
    "does it work now?",
    "好了吗？",
    "好了，现在帮我加一个按钮",
    "make it work now",
    "check whether it is fixed",
    "the dependency could not be resolved",
    "fix the resolved path",
    "解决了吗",
    "動いたら教えて",
    "ok",
]

RED: list[str] = [
    "write a failing test first",
    "Let's do this TDD style",
    "the test should fail for now",
    "this test is expected to fail until we fix the parser",
    "先写一个失败的测试",
    "まず失敗するテストを書いて",
]

NOT_RED: list[str] = [
    "fix the failing test",
    "why does the test fail?",
    "the tests should fail gracefully when the server is down",
    "CI is red again",
    "make the tests pass",
    "テストが失敗する",
]

# Only that they are decisions is looked at.
