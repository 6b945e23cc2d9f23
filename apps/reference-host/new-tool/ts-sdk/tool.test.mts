import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const TOOL = fileURLToPath(new URL('TOOL_NAME.mts', import.meta.url))

/** What the tool answers to a request. */
function ask(request: object) {
  const { stdout } = spawnSync(process.execPath, [TOOL], {
    input: JSON.stringify(request),
    encoding: 'utf8',
  })
  return JSON.parse(stdout)
}

void test('greets who is named', () => {
  const answer = ask({
    context: { action: 'run', root: process.cwd() },
    tool: { name: 'TOOL_NAME', arguments: { who: 'Ada' } },
  })
  assert.deepEqual(answer.content, [{ type: 'text', text: 'Hello, Ada!' }])
})

void test('says what it takes', () => {
  const [description] = ask({ context: { action: 'schema', root: process.cwd() } }).tools
  assert.equal(description.name, 'TOOL_NAME')
  assert.deepEqual(Object.keys(description.parameters), ['who'])
})
