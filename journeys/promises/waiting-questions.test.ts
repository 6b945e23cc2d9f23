import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Ran, toolblocks, visit } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { hasResults, type Provider, startProvider } from '../stage/provider.ts'
import { getScreen } from '../stage/screen.ts'

/** A program that asks before it sweeps, and counts its sweeps. */
const SWEEP = `
import { appendFileSync, readFileSync } from 'node:fs'
const { answers = {} } = JSON.parse(readFileSync(0, 'utf8')).tool
const question = { id: 'sure', text: 'Really sweep the harbor?', schema: { type: 'boolean' } }
if ('sure' in answers) appendFileSync('sweeps.txt', 'sweep\\n')
const content = 'sure' in answers
  ? [{ type: 'text', text: 'swept: ' + answers.sure }]
  : [{ type: 'text', text: 'The harbor has 12 boats.' }, { type: 'question', question }]
console.log(JSON.stringify({ content }))
`

const ASKS = tool('sweep', ['node', 'sweep.mjs'])

/** A tool that needs approval, and counts its runs. */
const NEEDS_APPROVAL = `
[tools.delete]
source = "local"
command = ["sh", "-c", "echo run >> runs.txt; echo deleted $1", "delete", "{{tool.arguments.path}}"]
parameters = { path = { type = "string" } }
`

const SETUPS = {
  sweep: { toml: ASKS, values: {} },
  delete: { toml: NEEDS_APPROVAL, values: { path: 'a.txt' } },
}

/** A folder whose model calls one of these tools, and ends its turn when it has the result. */
async function setUp(
  name: keyof typeof SETUPS,
  settings = '',
): Promise<{ folder: string; model: Provider }> {
  const { toml, values } = SETUPS[name]
  const model = await startProvider((messages) =>
    hasResults(messages) ? { text: 'All is done.' } : { calls: [[name, values]] },
  )
  const folder = makeFolder({
    'toolblocks.toml': model.settings + toml + settings,
    'sweep.mjs': SWEEP,
  })
  return { folder, model }
}

interface Listed {
  id: string
  state: string
  resume: string
}

async function list(folder: string, ...words: readonly string[]): Promise<readonly Listed[]> {
  const { stdout } = await toolblocks(folder, 'questions', 'list', '--output', 'json', ...words)
  const { questions } = JSON.parse(stdout) as { questions: readonly Listed[] }
  return questions
}

/** Returns the only question that waits. */
async function findOnly(folder: string): Promise<Listed> {
  const [only, ...more] = await list(folder)
  if (!only || more.length > 0) throw new Error(`${more.length} more questions wait`)
  return only
}

async function answer(folder: string, ...words: readonly string[]): Promise<Ran> {
  return await toolblocks(folder, 'questions', 'answer', (await findOnly(folder)).id, ...words)
}

function read(folder: string, file: string): string {
  return existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : ''
}

test('promise questions that wait: run --park ends with 6 and lists what waits, and run --resume continues after the answer', async () => {
  const { folder, model } = await setUp('sweep')
  const parked = await toolblocks(folder, 'run', '--park', 'Sweep.')
  expect(parked.code).toBe(6)
  const { id, resume } = await findOnly(folder)
  expect(parked.stderr).toContain(`${id}  sweep asks: Really sweep the harbor?`)
  expect(parked.stderr).toContain(`toolblocks run --resume ${resume}`)
  const shown = await toolblocks(folder, 'questions', 'show', id.slice(0, 6))
  expect(shown.stdout).toContain('The harbor has 12 boats.')
  const answered = await answer(folder, '--yes')
  expect(answered.stderr).toContain(`Continue with: toolblocks run --resume ${resume}`)
  const resumed = await toolblocks(folder, 'run', '--resume', resume)
  expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('All is done.') })
  expect(model.results()).toEqual(['swept: true'])
  expect(await toolblocks(folder, 'run', '--resume')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('nothing to continue'),
  })
})

test('promise questions that wait: --output jsonl ends with one line about what waits', async () => {
  const { folder } = await setUp('sweep')
  const { code, stdout } = await toolblocks(folder, 'run', '--park', '--output', 'jsonl', 'Sweep.')
  expect(code).toBe(6)
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    type: 'waiting',
    questions: [{ call: { name: 'sweep' }, request: { text: 'Really sweep the harbor?' } }],
  })
})

test('promise questions that wait: a question whose host was killed at its prompt is answered elsewhere, and the turn continues', async () => {
  const { folder, model } = await setUp('sweep')
  await visit(folder, ['run', 'Sweep.'], [[/harbor\?[^]*No/, { signal: 'SIGKILL' }]])
  expect(read(folder, 'sweeps.txt')).toBe('')
  const answered = await answer(folder, '--yes')
  expect(answered.stderr).toContain('Continue with: toolblocks run --resume')
  const { code, written } = await visit(
    folder,
    ['chat', '--resume'],
    [[/All is done\.[^]*› /, '\u0004']],
  )
  expect(code).toBe(0)
  expect(await getScreen(written)).toContain('swept: true')
  expect(model.results()).toEqual(['swept: true'])
  expect(read(folder, 'sweeps.txt')).toBe('sweep\n')
})

test('promise questions that wait: a question that is answered elsewhere closes its prompt, with a line that says where', async () => {
  const { folder, model } = await setUp('sweep')
  let answering: Promise<Ran> | undefined
  const { code, written } = await visit(
    folder,
    ['run', 'Sweep.'],
    [[/harbor\?[^]*No/, () => void (answering = answer(folder, '--no'))]],
  )
  expect(code).toBe(0)
  expect(await getScreen(written)).toContain('Answered by a "toolblocks questions" command: false.')
  expect((await answering)?.stderr).toMatch(/process \d+ on .* continues/)
  expect(model.results()).toEqual(['swept: false'])
})

test('promise questions that wait: of two answers at the same time one counts, and the other is told which', async () => {
  const { folder, model } = await setUp('sweep')
  await toolblocks(folder, 'run', '--park', 'Sweep.')
  const { id } = await findOnly(folder)
  const both = await Promise.all(
    ['--yes', '--no'].map(
      async (flag) => await toolblocks(folder, 'questions', 'answer', id, flag),
    ),
  )
  expect(new Set(both.map(({ code }) => code))).toEqual(new Set([0, 1]))
  const value = both[0]?.code === 0
  const late = both.find(({ code }) => code === 1)
  expect(late?.stderr).toContain(`Answered by a "toolblocks questions" command: ${value}.`)
  await toolblocks(folder, 'run', '--resume')
  expect(model.results()).toEqual([`swept: ${value}`])
  expect(read(folder, 'sweeps.txt')).toBe('sweep\n')
})

test('promise questions that wait: a question that has expired is not declined, and takes no answer', async () => {
  const { folder, model } = await setUp('sweep', '[questions]\nexpire_secs = 0.2\n')
  await toolblocks(folder, 'run', '--park', 'Sweep.')
  await expect.poll(async () => await list(folder)).toEqual([])
  const [expired] = await list(folder, '--all')
  expect(expired).toMatchObject({ state: 'expired' })
  expect(await toolblocks(folder, 'questions', 'answer', expired?.id ?? '', '--yes')).toMatchObject(
    {
      code: 1,
      stderr: expect.stringContaining('The question has expired'),
    },
  )
  expect((await toolblocks(folder, 'run', '--resume')).code).toBe(0)
  const [result = ''] = model.results()
  expect(result).toContain('Really sweep the harbor?')
  expect(result).not.toMatch(/declined|denied/)
  expect(read(folder, 'sweeps.txt')).toBe('')
})

test.for([
  ['--yes', 'deleted a.txt\n', 'run\n'],
  ['--no', expect.stringContaining('was denied'), ''],
] as const)(
  'promise questions that wait: an approval that is answered later with %s decides about the call once',
  async ([flag, result, runs]) => {
    const { folder, model } = await setUp('delete')
    expect((await toolblocks(folder, 'run', '--park', 'Clean up.')).code).toBe(6)
    const { id } = await findOnly(folder)
    expect((await toolblocks(folder, 'questions', 'show', id)).stdout).toContain('path: a.txt')
    expect((await answer(folder, flag)).code).toBe(0)
    for (let times = 0; times < 2; times++)
      expect((await toolblocks(folder, 'run', '--resume')).code).toBe(0)
    expect(model.results()).toEqual([result])
    expect(read(folder, 'runs.txt')).toBe(runs)
  },
)

test('promise questions that wait: an answer from before its tool was changed does not count, and the question is asked again', async () => {
  const { folder, model } = await setUp('sweep')
  await toolblocks(folder, 'run', '--park', 'Sweep.')
  const before = await findOnly(folder)
  await answer(folder, '--yes')
  const file = join(folder, 'toolblocks.toml')
  const changed = 'parameters = {}\nsummary = "Sweeps the harbor, with all boats."'
  writeFileSync(file, readFileSync(file, 'utf8').replace('parameters = {}', changed))
  expect((await toolblocks(folder, 'run', '--resume')).code).toBe(6)
  expect(read(folder, 'sweeps.txt')).toBe('')
  expect((await findOnly(folder)).id).not.toBe(before.id)
  await answer(folder, '--no')
  await toolblocks(folder, 'run', '--resume')
  expect(model.results()).toEqual(['swept: false'])
})

test('promise questions that wait: run --wait tells what waits, and continues as soon as it is answered', async () => {
  const { folder, model } = await setUp('delete')
  const waiting = toolblocks(folder, 'run', '--wait', 'Clean up.')
  await expect.poll(async () => (await list(folder)).length, { timeout: 20_000 }).toBe(1)
  const { id, resume } = await findOnly(folder)
  const busy = await toolblocks(folder, 'run', '--resume', resume)
  expect(busy).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/process \d+ on .* runs a turn of the conversation/),
  })
  await answer(folder, '--yes')
  const { code, stderr, stdout } = await waiting
  expect(code).toBe(0)
  expect(stderr).toContain(`toolblocks questions answer ${id}`)
  expect(stdout).toContain('All is done.')
  expect(model.results()).toEqual(['deleted a.txt\n'])
})

test('promise questions that wait: a new prompt is refused while questions wait, until they are answered and used, or withdrawn', async () => {
  const { folder, model } = await setUp('sweep')
  await toolblocks(folder, 'run', '--park', 'Sweep.')
  const { id, resume } = await findOnly(folder)
  const refused = await toolblocks(folder, 'run', '--resume', resume, 'Stop.')
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain(`toolblocks questions withdraw ${id}`)
  expect((await toolblocks(folder, 'questions', 'withdraw', id)).code).toBe(0)
  expect((await toolblocks(folder, 'run', '--resume', resume, 'Stop.')).code).toBe(0)
  expect(JSON.stringify(model.requestMessages)).toContain('the conversation continued')
  expect(read(folder, 'sweeps.txt')).toBe('')
})

test('promise questions that wait: without a terminal and without these options nothing waits', async () => {
  const { folder, model } = await setUp('sweep')
  expect((await toolblocks(folder, 'run', 'Sweep.')).code).toBe(0)
  expect(model.results()[0]).toContain('nobody could answer')
  expect(await list(folder, '--all')).toEqual([])
})

test('promise questions that wait: a program of the folder learns of each question, after the user has agreed to it', async () => {
  const settings = '[questions]\nnotify = ["sh", "-c", "cat >> told.txt"]\n'
  const { folder } = await setUp('sweep', settings)
  await toolblocks(folder, 'run', '--park', 'Sweep.')
  const { id, resume } = await findOnly(folder)
  expect(JSON.parse(read(folder, 'told.txt'))).toMatchObject({
    id,
    tool: 'sweep',
    text: 'Really sweep the harbor?',
    conversation: resume,
  })
})

test('promise questions that wait: a question is answered at a terminal, with everything that it depends on', async () => {
  const { folder, model } = await setUp('sweep')
  await toolblocks(folder, 'run', '--park', 'Sweep.')
  const { id } = await findOnly(folder)
  const { code, written } = await visit(
    folder,
    ['questions', 'answer', id],
    [[/12 boats[^]*harbor\?[^]*No/, 'y']],
  )
  expect(code).toBe(0)
  expect(written).toContain('Continue with')
  await toolblocks(folder, 'run', '--resume')
  expect(model.results()).toEqual(['swept: true'])
})

test('promise questions that wait: the question of an agent waits for the conversation of the person, which continues it', async () => {
  const model = await startProvider((messages) => {
    const isAgent = JSON.stringify(messages).includes('Sweep it well.')
    if (hasResults(messages)) return { text: isAgent ? 'It is clean.' : 'All is done.' }
    const work = { agent: 'cleaner', task: 'Sweep it well.' }
    return { calls: [isAgent ? ['sweep', {}] : ['delegate', work]] }
  })
  const agent = '[agents.cleaner]\nsummary = "Cleans the harbor."\n'
  const folder = makeFolder({
    'toolblocks.toml': model.settings + ASKS + agent,
    'sweep.mjs': SWEEP,
  })
  const parked = await toolblocks(folder, 'run', '--park', 'Clean up.')
  expect(parked.code).toBe(6)
  expect(parked.stderr).toContain('agent cleaner, sweep asks: Really sweep the harbor?')
  const { id, resume } = await findOnly(folder)
  expect(parked.stderr).toContain(`toolblocks run --resume ${resume}`)
  const refused = await toolblocks(folder, 'run', '--resume', resume, 'Stop.')
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(id) })
  await answer(folder, '--yes')
  expect((await toolblocks(folder, 'run', '--resume', resume, 'Stop.')).code).toBe(2)
  expect((await toolblocks(folder, 'run', '--resume', resume)).code).toBe(0)
  expect(model.results()).toEqual(['It is clean.'])
  expect(read(folder, 'sweeps.txt')).toBe('sweep\n')
})
