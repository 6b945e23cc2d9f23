import json
import pathlib
import subprocess
import sys
import unittest

TOOL = pathlib.Path(__file__).with_name("TOOL_NAME.py")


def ask(request):
    """What the tool answers to a request."""
    ran = subprocess.run(
        [sys.executable, TOOL], input=json.dumps(request), capture_output=True, text=True, check=True
    )
    return json.loads(ran.stdout)


class TestTool(unittest.TestCase):
    def test_greets_who_is_named(self):
        answer = ask({"context": {"action": "run"}, "tool": {"arguments": {"who": "Ada"}}})
        self.assertEqual(answer["content"], [{"type": "text", "text": "Hello, Ada!"}])

    def test_says_what_it_takes(self):
        [description] = ask({"context": {"action": "schema"}})["tools"]
        self.assertEqual(description["name"], "TOOL_NAME")
        self.assertEqual(list(description["parameters"]), ["who"])


unittest.main()
