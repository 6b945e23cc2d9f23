import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toolblocks, visit } from '../stage/command.ts'
import { makeFolder, createPrintCommand, toToolOutput, tool } from '../stage/folder.ts'
import { connectClient } from '../stage/mcp-client.ts'
import { hasResults, startProvider } from '../stage/provider.ts'

const ASKS = [
  { type: 'text', text: 'Here is the diff.' },
  { type: 'question', question: { id: 'go', text: 'Apply it?', schema: { type: 'boolean' } } },
]

test('promise mistakes: the error for a question without a terminal names the option that answers it, and earlier output is printed', async () => {
  const folder = makeFolder({
    'ask.json': toToolOutput(ASKS),
    'toolblocks.toml': tool('ask', createPrintCommand('ask.json')),
  })
  const { code, stdout, stderr } = await toolblocks(folder, 'call', 'ask')
  expect([code, stdout]).toEqual([5, 'Here is the diff.\n'])
  expect(stderr).toMatch(/Apply it\?[^]*no person is available\.\nanswer with --answer go=…\n$/)
})

test('promise mistakes: if a question is declined, the client of serve and the model of a chat receive the output before it', async () => {
  const folder = makeFolder({
    'ask.json': toToolOutput(ASKS),
    'toolblocks.toml': tool('ask', createPrintCommand('ask.json')),
  })
  const client = await connectClient(folder, ['serve'], () => ({ action: 'decline' }))
  const answered = await client.callTool({ name: 'ask', arguments: {} })
  expect(JSON.stringify(answered.content)).toMatch(/Here is the diff\.[^]*and that was declined/)
  const model = await startProvider((messages) =>
    hasResults(messages) ? { text: 'Done.' } : { calls: [['ask', {}]] },
  )
  writeFileSync(
    join(folder, 'toolblocks.toml'),
    model.settings + tool('ask', createPrintCommand('ask.json')),
  )
  const { written } = await visit(
    folder,
    ['run', 'Go.'],
    [
      [/Here is the diff\.[^]*Apply it\?/, '\u001b'],
      [/What do you want to do\?[^]*Decline/, '\u001b[B\r'],
    ],
  )
  expect(written.split('Here is the diff.')).toHaveLength(2)
  expect(model.results()[0]).toMatch(/Here is the diff\.[^]*and that was declined/)
})
