// Records what the model of Codex receives of one result, directly and through the gateway, for the picture in the README: node tools/record-received.mjs [FOLDER]
// FOLDER: one with node_modules in which Codex is installed; otherwise it is installed into a temporary folder. Its model is on loopback. It writes
// scripts/pictures/received.json; then `pnpm picture` makes the picture.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCommand } from '../apps/reference-host/bundle/build-command.ts'
import { RESULT } from '../scripts/pictures/pier-server.mjs'
import { PROGRAMS } from './compare-gateway-hosts/hosts.mjs'
import { readVersion } from './compare-gateway-hosts/measure.mjs'
import { useHost } from './compare-gateway-hosts/use-host.mjs'

const SCRIPTS = join(import.meta.dirname, '../scripts/pictures')
const codex = PROGRAMS.find(({ id }) => id === 'codex')
const server = {
  version: '2025-11-25',
  args: [join(SCRIPTS, 'pier-server.mjs')],
  calls: [{ tool: 'inspect_pier', input: {} }],
}

/** Reads the content of the result in the last request: its texts, and a picture without its bytes. Codex adds the time. */
function readContent(request) {
  const { output } = JSON.parse(request).input.find(({ type }) => type === 'function_call_output')
  const parts = typeof output === 'string' ? [{ type: 'input_text', text: output }] : output
  return parts
    .map(({ type, text = '', image_url: address = '' }) =>
      type === 'input_image'
        ? { type: 'image', isComplete: address.endsWith(RESULT.content[1].data) }
        : { type: 'text', text: text.replace(/^Wall time: .*\nOutput:\n?/, '') },
    )
    .filter(({ text }) => text !== '')
}

const scratch = mkdtempSync(join(tmpdir(), 'toolblocks-received-'))
const folder = process.argv[2] ?? scratch
try {
  if (folder === scratch)
    execFileSync('npm', ['install', '--no-audit', '--no-fund', ...codex.packages], { cwd: scratch })
  const main = await buildCommand('received')
  const received = {}
  for (const way of ['direct', 'gateway']) {
    const home = mkdtempSync(join(scratch, 'home-'))
    const { last } = await useHost(codex, { server, way, main, folder, home })
    received[way] = readContent(last)
  }
  const record = {
    host: codex.title,
    version: readVersion(codex, folder),
    date: new Date().toISOString().slice(0, 10),
    ...received,
  }
  writeFileSync(join(SCRIPTS, 'received.json'), `${JSON.stringify(record, null, 2)}\n`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
