// Measures `toolblocks view FILE` with large sessions of Claude Code, which it writes into a temporary folder: the time to the first page, the time
// until all is read, the memory of the process, the time of a page in the middle, and how soon Ctrl-C ends the command while the file is read.
//
//   pnpm --filter toolblocks build && pnpm exec node tools/measure-view.mjs [--shape=lines|array] [MEGABYTES …]     default: 100 1000
//
// Memory is read from /proc, so only Linux reports it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { writeSession } from './measure-view/write-session.mjs'

const COMMAND = fileURLToPath(new URL('../apps/reference-host/dist/main.js', import.meta.url))
const PAUSE_MS = 200

const args = process.argv.slice(2)
const shape = args.includes('--shape=array') ? 'array' : 'lines'
const sizes = args.filter((word) => /^\d+$/.test(word)).map(Number)
const folder = mkdtempSync(join(tmpdir(), 'toolblocks-measure-view-'))
try {
  console.log(
    '| size | first page | all is read | a page in the middle | tokens counted | peak memory, times the file | Ctrl-C while it is read |',
  )
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const megabytes of sizes.length > 0 ? sizes : [100, 1000]) {
    const path = join(folder, `session-${megabytes}.${shape === 'lines' ? 'jsonl' : 'json'}`)
    const { bytes } = writeSession(path, megabytes * 1e6, shape)
    const row = [...(await measureReading(path, bytes)), await measureEnd(path)]
    console.log(`| ${megabytes} MB | ${row.join(' | ')} |`)
    rmSync(path)
  }
} finally {
  rmSync(folder, { recursive: true })
}

async function measureReading(path, bytes) {
  const { child, page, read, since, ended } = await startView(path)
  try {
    await read(page)
    const first = since()
    while ((await read('sources')).includes('being read')) await pause(PAUSE_MS)
    const whole = since()
    // The id of the conversation may depend on the whole file.
    const [, address = ''] = /href="conversation\?([^"]*)"/.exec(await read('.')) ?? []
    const conversation = `conversation?${address.replaceAll('&amp;', '&')}`
    const [, events = '0'] = /id="tb-count">([^<]*)/.exec(await read(conversation)) ?? []
    const seq = Math.ceil(Number(events.replaceAll(',', '')) / 2)
    if (seq === 0) throw new Error(`${path}: the pages have no conversation`)
    const middle = await time(async () => await read(`${conversation}&at=${seq}`))
    const totals = conversation.replace('conversation', 'totals')
    const counted = await time(async () => await read(totals))
    const peak = readPeak(child.pid)
    const memory =
      peak === undefined ? '–' : `${formatMegabytes(peak)} (${(peak / bytes).toFixed(1)}×)`
    return [formatMs(first), formatMs(whole), formatMs(middle), formatMs(counted), memory]
  } finally {
    child.kill('SIGINT')
    await ended
  }
}

async function measureEnd(path) {
  const { child, page, read, ended } = await startView(path)
  await read(page)
  while (!/being read: [1-9]/.test(await read('sources'))) await pause(PAUSE_MS)
  const took = await time(async () => {
    child.kill('SIGINT')
    await ended
  })
  return formatMs(took)
}

/** Starts the command, and signs in with the address that it prints, which is that of `page`. */
async function startView(path) {
  const start = performance.now()
  const child = spawn(process.execPath, [COMMAND, 'view', '--no-open', path], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [line] = await once(createInterface(child.stdout), 'line')
  const address = new URL(line)
  const token = address.hash.replace('#t=', '')
  const entered = await fetch(new URL('enter', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address.origin },
    body: JSON.stringify({ token }),
  })
  const [cookie] = entered.headers.get('set-cookie').split(';')
  const read = async (page) => {
    const response = await fetch(new URL(page, address), { headers: { cookie } })
    if (!response.ok) throw new Error(`${page}: ${response.status} ${await response.text()}`)
    return await response.text()
  }
  const page = address.pathname + address.search
  return { child, page, read, ended, since: () => performance.now() - start }
}

async function time(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function readPeak(pid) {
  if (process.platform !== 'linux') return undefined
  const [, kibibytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}

function formatMs(ms) {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

function formatMegabytes(bytes) {
  return `${Math.round(bytes / 1e6)} MB`
}
