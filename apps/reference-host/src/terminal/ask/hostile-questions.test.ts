import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { visit, type Step } from '../../cli/toolblocks.support.ts'

vi.setConfig({ testTimeout: 20_000 })

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolblocks-hostile-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

/** Escape sequences with 7-bit and 8-bit controls (clipboard, title, clear screen, cursor up), a tag character and a reversed text direction. */
const ATTACKS = [
  '\u001B]52;c;YQ==\u0007',
  '\u001B]0;title\u0007',
  '\u001B[2J',
  '\u001B[5A',
  '\u009D0;t\u009C',
  '\u009B2J',
  '\u{E0041}',
  '\u202E',
]
const hostile = (name: string): string => `${name}${ATTACKS.join('x')}`

/** Runs a tool that asks one question and prints the answer that it got; a person types the keys. */
async function meet(
  question: Readonly<Record<string, unknown>>,
  typed: readonly Step[],
): Promise<{ written: string; output: string }> {
  const asked = { id: 'q', ...question }
  await writeFile(
    join(folder, 'question.json'),
    JSON.stringify({ content: [{ type: 'question', question: asked }] }),
  )
  await writeFile(
    join(folder, 'tool.sh'),
    `told=$(cat); case "$told" in *'"answers":{}'*) cat question.json ;; *) printf '%s' "$told" > told ;; esac`,
  )
  await writeFile(
    join(folder, 'toolblocks.toml'),
    '[tools.tool]\nsource = "local"\ncommand = ["sh", "tool.sh"]\nrun = "unattended"\nparameters = {}\n',
  )
  const { written } = await visit(folder, ['call', 'tool'], typed)
  return { written, output: await readFile(join(folder, 'told'), 'utf8') }
}

function expectNoAttack(written: string): void {
  for (const attack of ATTACKS) {
    // The prompts themselves move the cursor. The text before each attack tells the attacks from the prompts.
    expect(written.includes(`x${attack}`), JSON.stringify(attack)).toBe(false)
  }
  // oxlint-disable-next-line no-control-regex -- what must not be there
  expect(written).not.toMatch(/\u001B\]|[\u0080-\u009F]|\u202E|[\u{E0000}-\u{E007F}]/u)
}

test('a default has no effect on the terminal, is passed on unchanged, and is not an answer if the person only presses Enter', async () => {
  const { written, output } = await meet(
    { text: hostile('Name?'), schema: { type: 'string' }, default: hostile('Ada') },
    [[/not filled in[^]*\[7m/, 'Eve\r']],
  )
  expectNoAttack(written)
  expect(written).toContain(String.raw`Ada\u{1B}]52;c;YQ==\u{7}`)
  expect(JSON.parse(output)).toMatchObject({ tool: { answers: { q: 'Eve' } } })
})

test('no part of a form has an effect on the terminal: titles, descriptions, defaults, choices and their names, problems', async () => {
  const schema = {
    type: 'object',
    properties: {
      [hostile('one')]: {
        type: 'string',
        title: hostile('Title'),
        description: hostile('About.'),
        default: hostile('typed'),
      },
      two: {
        type: 'string',
        oneOf: [{ const: hostile('value'), title: hostile('Choice') }, { const: 'b' }],
        default: hostile('value'),
      },
      three: { type: 'array', items: { enum: [hostile('item'), 'b'] }, default: [hostile('item')] },
      four: { type: 'string', enum: ['x'], title: hostile('Last') },
    },
    required: ['two', 'three', 'four'],
  }
  const { written, output } = await meet({ text: hostile('Fill in'), schema }, [
    [/1 of 4[^]*not filled in/, '\r'],
    [/2 of 4[^]*●/, '\r'],
    [/3 of 4[^]*◼/, '\r'],
    [/4 of 4[^]*○/, 'x\r'],
    [/change[^]*confirm/, '\r'],
  ])
  expectNoAttack(written)
  expect(JSON.parse(output)).toMatchObject({
    tool: { answers: { q: { two: hostile('value'), three: [hostile('item')], four: 'x' } } },
  })
  expect(output).not.toContain('typed')
})

test('pasted text loses its 8-bit controls, which the echo would send to the terminal', async () => {
  const { written, output } = await meet({ text: 'Name?', schema: { type: 'string' } }, [
    [/Name\?[^]*\[7m/, 'a\u009B2Jb\u009D0;t\u009C\r'],
  ])
  expectNoAttack(written)
  expect(JSON.parse(output)).toMatchObject({ tool: { answers: { q: 'a2Jb0;t' } } })
})
