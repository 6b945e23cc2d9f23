import { Client as LaterClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as LaterTransport } from '@modelcontextprotocol/client/stdio'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { NO_TRUST, withoutTrust } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { connectClient } from '../stage/mcp-client.ts'

const CONFIGURATION = `
[prompts.review]
file = "prompts/review.md"
title = "Review a change"
description = "Asks for a review."
arguments = { topic = { description = "What to look at.", required = true }, tone = {} }
[resources]
folder = "notes"
`

const FILES = {
  'toolblocks.toml': CONFIGURATION,
  'prompts/review.md': 'Look at {{topic}} first.{{tone}}',
  'notes/a.md': '# A',
  'notes/.secret': 'secret',
}

/** A client of MCP 2026-07-28 that has started `toolblocks serve`. */
async function connectLater(folder: string): Promise<LaterClient> {
  const client = new LaterClient(
    { name: 'journey', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  const transport = new LaterTransport({
    command: process.execPath,
    args: [inject('command'), 'serve'],
    cwd: folder,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing in it is undefined
    env: { ...process.env } as Record<string, string>,
    stderr: 'ignore',
  })
  await client.connect(transport)
  onTestFinished(async () => await client.close())
  return client
}

const connectors: Readonly<Record<string, (folder: string) => Promise<Client | LaterClient>>> = {
  '2025-11-25': async (folder) => await connectClient(folder),
  '2026-07-28': connectLater,
}

describe.for(Object.entries(connectors))('a client of MCP %s', ([, connect]) => {
  test('promise served prompts: a client lists and gets the prompts of the configuration, with their arguments', async () => {
    const folder = makeFolder(FILES)
    const client = await connect(folder)
    expect((await client.listPrompts()).prompts).toEqual([
      {
        name: 'review',
        title: 'Review a change',
        description: 'Asks for a review.',
        arguments: [
          { name: 'topic', description: 'What to look at.', required: true },
          { name: 'tone' },
        ],
      },
    ])
    const get = async (values: Record<string, string>) =>
      await client.getPrompt({ name: 'review', arguments: values })
    expect(await get({ topic: 'names' })).toMatchObject({
      description: 'Asks for a review.',
      messages: [{ role: 'user', content: { type: 'text', text: 'Look at names first.' } }],
    })
    await expect(get({})).rejects.toThrow('The argument "topic" of the prompt "review" is missing')
    await expect(client.getPrompt({ name: 'other' })).rejects.toThrow('Unknown prompt: other')
    writeFileSync(join(folder, 'prompts/review.md'), 'Changed.')
    expect(JSON.stringify(await get({ topic: 'x' }))).toContain('Changed.')
  })

  test('promise served prompts: a client lists and reads the files of the folder, and no hidden ones', async () => {
    const folder = makeFolder(FILES)
    const client = await connect(folder)
    const uri = pathToFileURL(join(folder, 'notes/a.md')).href
    expect((await client.listResources()).resources).toEqual([
      { uri, name: 'a.md', mimeType: 'text/markdown', size: 3 },
    ])
    expect((await client.readResource({ uri })).contents).toEqual([
      { uri, mimeType: 'text/markdown', text: '# A' },
    ])
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([])
    const hidden = pathToFileURL(join(folder, 'notes/.secret')).href
    await expect(client.readResource({ uri: hidden })).rejects.toThrow('Unknown resource')
  })
})

test('promise served prompts: without agreement no prompt and no file is offered', async () => {
  const folder = makeFolder(FILES)
  const listing = await withoutTrust(folder, 'trust')
  expect(listing.stderr).toContain(
    `prompt review: the file ${folder}/prompts/review.md to MCP clients`,
  )
  expect(listing.stderr).toContain(`resources: the files in ${folder}/notes to MCP clients`)
  const { stderr } = await withoutTrust(folder, 'serve')
  expect(stderr).toContain('the prompt review: not available, because you have not agreed to it')
  expect(stderr).toContain('[resources]: not available')
  const client = await connectClient(folder, ['serve'], undefined, NO_TRUST)
  expect(client.getServerCapabilities()).not.toHaveProperty('prompts')
  expect(client.getServerCapabilities()).not.toHaveProperty('resources')
})
