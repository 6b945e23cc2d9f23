import json
import sys

TOOL = {
    "name": "counter",
    "summary": "Add numbers until the total is 10.",
    "stateful": True,
    "parameters": {"start": {"type": "integer", "required": True}},
}


def answer(request, text, status):
    meta = {"toolblocks/re": request["seq"], "computer.jp/status": status}
    result = {"content": [{"type": "text", "text": text}], "_meta": meta}
    # Without flush, Python keeps the line, and the host waits for it.
    print(json.dumps(result), flush=True)


total = 0
# One line is one request. sys.stdin.read() would wait until the host closes the input.
for line in sys.stdin:
    request = json.loads(line)
    action = request["context"]["action"]
    if action == "schema":
        print(json.dumps({"tools": [TOOL]}))
        break
    if action == "spawn":
        total = request["tool"]["arguments"]["start"]
    elif action == "apply":
        try:
            total += int(request["tool"]["input"])
        except (TypeError, ValueError):
            answer(request, "Expected a number. Which one is added?", "waiting")
            continue
    if action == "abort" or total >= 10:
        answer(request, f"The total is {total}.", "stopped")
        break
    # "waiting" and "running" keep the tool alive. A response without a status ends it.
    answer(request, f"The total is {total}. Which number is added?", "waiting")
