import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('a program with the tools of an MCP server needs one other line, and its model sees the picture', async () => {
  const example = join(import.meta.dirname, '../examples/mcp.ts')
  const { stderr } = await promisify(execFile)(process.execPath, [example])
  expect(stderr).toBe('')
})
