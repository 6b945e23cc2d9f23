// Attacks the terminal for longer than a test can: hostile texts through the sanitizer on a real emulator, the same texts in pieces, and programs
// that attack the screen of a pseudo-terminal: node tools/attack-terminal.mjs [texts, default 100000]
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { createOutputBound, createScreen } from '../packages/local-executor/src/pty/screen.ts'
import { hostileText } from '../packages/renderer/src/sanitize/attack-fragments.support.ts'
import {
  sanitizeTerminalLine,
  sanitizeTerminalText,
} from '../packages/renderer/src/sanitize/sanitize-terminal-text.ts'
import { createTerminalOracle } from '../packages/renderer/src/sanitize/terminal-oracle.support.ts'
import { createTerminalSanitizer } from '../packages/renderer/src/sanitize/terminal-sanitizer.ts'

const { Terminal } = createRequire(
  new URL('../packages/local-executor/package.json', import.meta.url),
)('@xterm/headless')
const TEXTS = Number(process.argv[2] ?? 100_000)
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31)
const ESC = '\u001B'

console.log(`seed ${seed}`)
await attackSanitizer()
attackPieces()
await attackScreen()

/** Counts effects on a terminal of 80×24 with a line before and after, of complete texts and of lines. */
async function attackSanitizer() {
  const oracle = createTerminalOracle()
  let acting = 0
  for (const text of fc.sample(hostileText(), { numRuns: TEXTS, seed })) {
    for (const safe of [sanitizeTerminalText(text), sanitizeTerminalLine(text)]) {
      const effects = await oracle.readEffects(safe)
      if (effects.length === 0) continue
      acting += 1
      if (acting <= 10) console.log(JSON.stringify(text), effects)
    }
  }
  report(`${acting} of ${2 * TEXTS} sanitized texts and lines have an effect on a terminal`, acting)
}

function attackPieces() {
  let differing = 0
  let cuts = 0
  const sizes = fc.sample(fc.integer({ min: 1, max: 5 }), { numRuns: 4099, seed })
  for (const text of fc.sample(hostileText(), { numRuns: TEXTS, seed: seed + 1 })) {
    const sanitizer = createTerminalSanitizer()
    const bound = createOutputBound()
    const pieces = { written: '', drawn: '' }
    for (let offset = 0; offset < text.length; cuts += 1) {
      const end = offset + (sizes[cuts % sizes.length] ?? 1)
      pieces.written += sanitizer.push(text.slice(offset, end))
      pieces.drawn += bound(text.slice(offset, end))
      offset = end
    }
    pieces.written += sanitizer.finish()
    if (pieces.written !== sanitizeTerminalText(text)) differing += 1
    // The output of a pseudo-terminal is decoded completely: no character is cut there.
    const isOfUnits = !/\p{Surrogate}/u.test(text) && !/[\u{10000}-\u{10FFFF}]/u.test(text)
    if (isOfUnits && pieces.drawn !== createOutputBound()(text)) differing += 1
  }
  report(
    `${differing} of ${TEXTS} texts differ when they arrive in pieces (${cuts} cuts)`,
    differing,
  )
}

/** 64 KiB of each attack: the time of the screen, and the longest time in which the thread was blocked. */
async function attackScreen() {
  const shapes = {
    'inserted lines': `${ESC}[99999999L`,
    'deleted lines': `${ESC}[99999999M`,
    'scrolling up': `${ESC}[99999999S`,
    'scrolling down': `${ESC}[99999999T`,
    'a repeated character': `x${ESC}[2147483647b`,
    'inserted characters': `${ESC}[99999999@`,
    'tab stops': `${ESC}[99999999I`,
    'an erased screen': `${ESC}[2J`,
    'the alternate screen': `${ESC}[?1049h${ESC}[?1049l`,
    resets: `${ESC}c`,
    'a filled screen': `${ESC}#8`,
    marks: '\u0301',
    'an endless sequence': '1',
    titles: `${ESC}]0;x`,
    'line feeds': '\n',
    'wide letters': '漢',
    questions: `${ESC}[6n`,
    'hostile texts': fc.sample(hostileText(200), { numRuns: 1000, seed }).join(''),
  }
  for (const [name, shape] of Object.entries(shapes)) {
    const start = name === 'an endless sequence' ? `${ESC}[` : ''
    const output = start + shape.repeat(Math.ceil((64 * 1024) / shape.length)).slice(0, 64 * 1024)
    const { total, longest } = await timeScreen(output)
    report(`${name}: read in ${total.toFixed(0)} ms, longest block ${longest.toFixed(0)} ms`, 0)
  }
}

async function timeScreen(output) {
  const screen = createScreen(Terminal, { type: doNothing, pause: doNothing, resume: doNothing })
  const start = performance.now()
  let last = start
  let longest = 0
  const beat = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }, 1)
  screen.write(output)
  await screen.read()
  const total = performance.now() - start
  await new Promise((next) => setTimeout(next, 5))
  clearInterval(beat)
  screen.close()
  return { total, longest }
}

function doNothing() {}

function report(line, wrong) {
  console.log(wrong === 0 ? `ok: ${line}` : `WRONG: ${line}`)
  if (wrong > 0) process.exitCode = 1
}
