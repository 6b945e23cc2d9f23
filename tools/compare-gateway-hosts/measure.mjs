// What is measured of each host: see ../compare-gateway-hosts.mjs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LONG_CHARACTERS, MIXED, PNG, countLongText } from './mixed-server.mjs'
import { findModules, useHost } from './use-host.mjs'

const MIXED_SERVER = {
  version: '2025-11-25',
  args: [join(import.meta.dirname, 'mixed-server.mjs')],
  isLogging: true,
}
/** Each check: what is wrong if it fails, and whether a request to the model passes it. */
export const CHECKS = [
  ...Object.values(MIXED).flatMap(({ says, hides = {} }) => [
    ...Object.entries(says).map(([what, text]) => ({ what, passes: has(text) })),
    ...Object.entries(hides).map(([what, text]) => ({ what, passes: (all) => !has(text)(all) })),
  ]),
  { what: 'mark of an error', passes: hasErrorMark },
]

/** A picture that is a picture, not base64 in a text; a link that is no address of a document, which the provider would have to read. */
function has(text) {
  if (text === PNG) {
    const picture = new RegExp(`[^\\\\]"(data:image/png;base64,)?${PNG.replaceAll('+', '[+]')}"`)
    return ({ last }) => picture.test(last)
  }
  return ({ results, last }) =>
    [...results, last]
      .join('\n')
      .replaceAll(/"source":\{"type":"url","url":"[^"]*"/g, '')
      .includes(text)
}

/** Whether the result of `error_and_structure` says that it is an error, in a field of the provider or in its text. */
function hasErrorMark({ last }) {
  const results = last === '' ? [] : findResults(JSON.parse(last))
  const failed = results.filter((result) => result.includes('gamma-error')).at(-1) ?? ''
  const mark = /\berror\b|\bfailed\b|"is_error":true|"isError\\*":true/i
  return mark.test(failed.replaceAll(/gamma-error|error_and_structure|"is_error":false/g, ''))
}

/** Returns the results of tools in a request of any provider, as JSON. */
function findResults(value) {
  if (typeof value !== 'object' || value === null) return []
  const isResult =
    value.type === 'tool_result' ||
    value.type === 'function_call_output' ||
    value.role === 'tool' ||
    value.functionResponse !== undefined
  return isResult ? [JSON.stringify(value)] : Object.values(value).flatMap(findResults)
}

export function readVersion(host, folder) {
  const file = join(findModules(host, folder), host.packages[0], 'package.json')
  return JSON.parse(readFileSync(file, 'utf8')).version
}

/** Returns what a host says of itself, and what is wrong in what its model received of the mixed results in one way: a text that it lacks, or one that is not for it. */
export async function measureMixed(host, how) {
  const first = await measureMixedOnce(host, how)
  // A host that starts before its server is ready, on a busy machine, calls nothing.
  return first.answered === 0 ? await measureMixedOnce(host, how) : first
}

async function measureMixedOnce(host, { way, main, folder }) {
  const calls = Object.keys(MIXED).map((tool) => ({ tool, input: {} }))
  const { results, last, received } = await useHost(host, {
    server: { ...MIXED_SERVER, calls },
    way,
    main,
    folder,
  })
  const { params } = received.find(({ method }) => method === 'initialize') ?? {}
  return {
    info: params?.clientInfo,
    protocolVersion: params?.protocolVersion,
    asks: params?.capabilities?.elicitation !== undefined,
    answered: results.length,
    results,
    wrong: CHECKS.filter(({ passes }) => !passes({ results, last })).map(({ what }) => what),
  }
}

/** Counts the characters of a long text that the model of a host receives directly. `undefined`: all. */
export async function measureLength(host, { main, folder }) {
  const calls = [{ tool: 'long_text', input: {} }]
  const { last } = await useHost(host, {
    server: { ...MIXED_SERVER, calls },
    way: 'direct',
    main,
    folder,
  })
  const count = countLongText(last)
  return count === LONG_CHARACTERS ? undefined : count
}

/** Whether the model of a host reads through the gateway which call reads the rest of a text that is cut, and all that the note says is left. */
export async function receivesNote(host, { main, folder }) {
  const calls = [{ tool: 'long_text', input: {} }]
  const server = { ...MIXED_SERVER, calls }
  const { last } = await useHost(host, { server, way: 'gateway', main, folder })
  const [, omitted] =
    /Above, (\d+) of \d+ characters were left out at .{1,9}, in the middle\. The tool read_tool_result reads all of it/.exec(
      last,
    ) ?? []
  // The two pieces at the cut are not whole.
  return LONG_CHARACTERS - Number(omitted) - countLongText(last) <= 20
}

/** The lengths of the first texts of `measureWhole`. */
const LENGTHS = [
  500, 1000, 2000, 4000, 8000, 12_000, 16_000, 20_000, 24_000, 32_000, 48_000, 64_000, 96_000,
  128_000,
]

/** Returns the most characters of a text that the model of a host receives whole directly, to one hundredth. `undefined`: all. */
export async function measureWhole(host, { main, folder }) {
  let least = 0
  let most = LONG_CHARACTERS
  let lengths = LENGTHS
  while (lengths.length > 0) {
    const calls = lengths.map((characters) => ({ tool: 'long_text', input: { characters } }))
    const { results } = await useHost(host, {
      server: { ...MIXED_SERVER, calls },
      way: 'direct',
      main,
      folder,
    })
    const cut = lengths.findIndex((length, index) => countLongText(results[index] ?? '') < length)
    if (cut === -1 && lengths === LENGTHS) {
      if ((await measureLength(host, { main, folder })) === undefined) return undefined
    }
    least = cut === -1 ? lengths.at(-1) : (lengths[cut - 1] ?? least)
    most = cut === -1 ? most : lengths[cut]
    const step = Math.floor((most - least) / 80) * 10
    lengths =
      step < least / 100 ? [] : Array.from({ length: 7 }, (_, index) => least + step * (index + 1))
  }
  return least
}

/** Seconds for which `wait` waits: five minutes, and what a host needs to notice. */
export const WAIT_SECONDS = 310

/** Returns after how many seconds a host gives up a call directly. `undefined`: it waits more than 5 minutes. */
export async function measureTime(host, { progress, main, folder }) {
  const calls = [{ tool: 'wait', input: { seconds: WAIT_SECONDS, progress } }]
  const { received, times, ended } = await useHost(host, {
    server: { ...MIXED_SERVER, calls },
    way: 'direct',
    main,
    folder,
    limitMs: (WAIT_SECONDS + 60) * 1000,
  })
  const started = received.find(({ method }) => method === 'tools/call')?.time
  if (started === undefined) throw new Error(`${host.title} did not call the tool "wait".`)
  const endTimes = received
    .filter(({ method }) => method === 'notifications/cancelled' || method === 'end')
    .map(({ time }) => time)
  const seconds = Math.round((Math.min(ended, ...endTimes, ...times) - started) / 1000)
  return seconds >= WAIT_SECONDS - 5 ? undefined : seconds
}
