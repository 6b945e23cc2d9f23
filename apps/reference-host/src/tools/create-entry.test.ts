import { tmpdir } from 'node:os'
import type { ToolContext, ToolResult } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { expect, test } from 'vitest'
import { configuredEntry } from './configured-entry.suite.ts'

/** The one tool of a configuration: a shell script with these settings. */
async function create(script: string, settings: string): Promise<ToolEntry> {
  const file = `[tools.tool]\nsource = "local"\ncommand = ["sh", "-c", "${script}"]\nparameters = {}\n${settings}\n`
  return await configuredEntry(file, tmpdir())
}

async function run(created: Promise<ToolEntry>): Promise<ToolResult> {
  const { tool } = await created
  const context: ToolContext = {
    signal: new AbortController().signal,
    root: tmpdir(),
    answers: {},
  }
  return await tool.execute({ id: 'call-1', name: 'tool', arguments: {} }, context)
}

test('timeout_secs are seconds', async () => {
  const text = 'the shell has started and ended'
  const result = await run(create(`sleep 0.1; echo ${text}`, 'timeout_secs = 10'))
  expect(result).toMatchObject({ isError: false, content: [{ text: `${text}\n` }] })
  expect(await run(create('sleep 30', 'timeout_secs = 0.05'))).toMatchObject({
    metadata: { outcome: 'timeout' },
  })
})

test('a program gets the variables that env names, and no others of the host', async () => {
  process.env['TOOLBLOCKS_TEST_NAMED'] = 'seen'
  process.env['TOOLBLOCKS_TEST_OTHER'] = 'unseen'
  const script = 'echo $TOOLBLOCKS_TEST_NAMED $TOOLBLOCKS_TEST_OTHER'
  const named = await run(create(script, 'env = ["TOOLBLOCKS_TEST_NAMED"]'))
  const unnamed = await run(create(`${script} end`, ''))
  delete process.env['TOOLBLOCKS_TEST_NAMED']
  delete process.env['TOOLBLOCKS_TEST_OTHER']
  expect(named.content).toMatchObject([{ text: 'seen\n' }])
  expect(unnamed.content).toMatchObject([{ text: 'end\n' }])
})
