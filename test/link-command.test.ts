import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

function run(program: string, args: readonly string[], cwd: string, path = process.env['PATH']) {
  const env = { ...process.env, PATH: path }
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks link-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test(
  'link-command puts the command of this clone on the PATH for every folder, and the entry of docs/connecting-mcp.md starts it',
  { timeout: 60_000 },
  () => {
    const folder = makeFolder()
    const link = (...options: string[]) =>
      run(process.execPath, ['scripts/link-command.mjs', '--to', folder, ...options], root)
    const linked = link()
    expect([linked.status, linked.stderr]).toEqual([0, ''])
    expect(linked.stdout).toContain(`Wrote ${join(folder, 'toolblocks')}`)
    expect(linked.stdout).toContain(`export PATH="${folder}:$PATH"`)
    const elsewhere = makeFolder()
    const path = `${folder}:/usr/bin:/bin`
    const began = run('toolblocks', ['init'], elsewhere, path)
    expect([began.status, began.stdout]).toEqual([
      0,
      expect.stringContaining('  toolblocks call count_words'),
    ])
    const called = run('toolblocks', ['call', 'count_words'], elsewhere, path)
    expect([called.status, called.stdout]).toEqual([0, expect.stringContaining('toolblocks.toml')])
    const document = readFileSync(join(root, 'docs/connecting-mcp.md'), 'utf8')
    const [, entry = ''] = /```json\n(\{\s*"mcpServers".*?)\n```/s.exec(document) ?? []
    const { command, args } = JSON.parse(entry).mcpServers.mine
    const adjustedArgs = args.map((word: string) =>
      word.endsWith('toolblocks.toml') ? join(elsewhere, 'toolblocks.toml') : word,
    )
    const request = { jsonrpc: '2.0', id: 1, method: 'initialize' }
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'host', version: '1' },
    }
    const { stdout } = spawnSync(command, adjustedArgs, {
      cwd: tmpdir(),
      env: { ...process.env, PATH: path },
      input: `${JSON.stringify({ ...request, params })}\n`,
      encoding: 'utf8',
    })
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({
      id: 1,
      result: { serverInfo: { name: 'toolblocks' } },
    })
    expect(link('--remove').stdout).toBe(`Removed ${join(folder, 'toolblocks')}.\n`)
    writeFileSync(join(folder, 'toolblocks'), '#!/bin/sh\n')
    const refused = link()
    expect([refused.status, refused.stderr]).toEqual([
      2,
      expect.stringContaining('is another program'),
    ])
    expect(readFileSync(join(folder, 'toolblocks'), 'utf8')).toBe('#!/bin/sh\n')
  },
)
