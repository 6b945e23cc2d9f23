import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Ran, startToolblocks, toolblocks, visit } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { hasResults, startProvider } from '../stage/provider.ts'
import { getScreen } from '../stage/screen.ts'
import {
  answerOnlyQuestion,
  ASKS,
  findOnlyQuestion,
  listQuestions,
  readIn,
  setUpWaiting,
  SWEEP,
} from '../stage/waiting.ts'

test('promise questions that wait: run --park ends with 6 and lists what waits, and run --resume continues after the answer', async () => {
  const { folder, model } = await setUpWaiting('sweep')
  const parked = await toolblocks(folder, 'run', '--park', 'Sweep.')
  expect(parked.code).toBe(6)
  const { id, resume } = await findOnlyQuestion(folder)
  expect(parked.stderr).toContain(`${id}  sweep asks: Really sweep the harbor?`)
  expect(parked.stderr).toContain(`toolblocks run --resume ${resume}`)
  const details = await toolblocks(folder, 'questions', 'show', id.slice(0, 6))
  expect(details.stdout).toContain('The harbor has 12 boats.')
  const answered = await answerOnlyQuestion(folder, '--yes')
  expect(answered.stderr).toContain(`Continue with: toolblocks run --resume ${resume}`)
  const resumed = await toolblocks(folder, 'run', '--resume', resume)
  expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('All is done.') })
  expect(model.results()).toEqual(['swept: true'])
  expect(await toolblocks(folder, 'run', '--resume')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('nothing to continue'),
  })
})

test('promise questions that wait: run --resume without an id continues the conversation that is answered, then the one that still waits', async () => {
  const { folder, model } = await setUpWaiting('sweep')
  await toolblocks(folder, 'run', '--park', 'Sweep the first.')
  await toolblocks(folder, 'run', '--park', 'Sweep the second.')
  const [first, second] = await listQuestions(folder)
  await toolblocks(folder, 'questions', 'answer', first?.id ?? '', '--yes')
  const resumed = await toolblocks(folder, 'run', '--resume')
  expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('All is done.') })
  expect(resumed.stderr).toContain(`Continuing ${first?.resume}`)
  expect(resumed.stderr).toContain(`toolblocks run --resume ${second?.resume}`)
  expect(model.results()).toEqual(['swept: true'])
  // The conversation that was written last has ended.
  const waits = await toolblocks(folder, 'run', '--resume')
  expect(waits).toMatchObject({ code: 6, stderr: expect.stringContaining(second?.id ?? '') })
  await toolblocks(folder, 'questions', 'answer', second?.id ?? '', '--no')
  expect((await toolblocks(folder, 'run', '--resume')).code).toBe(0)
  expect(await toolblocks(folder, 'run', '--resume')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('nothing to continue'),
  })
})

test('promise questions that wait: --output jsonl ends with one line about what waits', async () => {
  const { folder } = await setUpWaiting('sweep')
  const { code, stdout } = await toolblocks(folder, 'run', '--park', '--output', 'jsonl', 'Sweep.')
  expect(code).toBe(6)
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    type: 'waiting',
    questions: [{ call: { name: 'sweep' }, request: { text: 'Really sweep the harbor?' } }],
  })
})

test('promise questions that wait: a question whose host was killed at its prompt is answered elsewhere, and the turn continues', async () => {
  const { folder, model } = await setUpWaiting('sweep')
  await visit(folder, ['run', 'Sweep.'], [[/harbor\?[^]*No/, { signal: 'SIGKILL' }]])
  expect(readIn(folder, 'sweeps.txt')).toBe('')
  const answered = await answerOnlyQuestion(folder, '--yes')
  expect(answered.stderr).toContain('Continue with: toolblocks run --resume')
  const { code, written } = await visit(
    folder,
    ['chat', '--resume'],
    [[/All is done\.[^]*› /, '\u0004']],
  )
  expect(code).toBe(0)
  expect(await getScreen(written)).toContain('swept: true')
  expect(model.results()).toEqual(['swept: true'])
  expect(readIn(folder, 'sweeps.txt')).toBe('sweep\n')
})

test('promise questions that wait: a question that is answered elsewhere closes its prompt, with a line that says where', async () => {
  const { folder, model } = await setUpWaiting('sweep')
  let answering: Promise<Ran> | undefined
  const { code, written } = await visit(
    folder,
    ['run', 'Sweep.'],
    [[/harbor\?[^]*No/, () => void (answering = answerOnlyQuestion(folder, '--no'))]],
  )
  expect(code).toBe(0)
  expect(await getScreen(written)).toContain('Answered by a "toolblocks questions" command: false.')
  expect((await answering)?.stderr).toMatch(/process \d+ on .* continues/)
  expect(model.results()).toEqual(['swept: false'])
})

test('promise questions that wait: of two answers at the same time one counts, and the other is told which', async () => {
  const { folder, model } = await setUpWaiting('sweep')
  await toolblocks(folder, 'run', '--park', 'Sweep.')
  const { id } = await findOnlyQuestion(folder)
  const both = await Promise.all(
    ['--yes', '--no'].map(
      async (flag) => await toolblocks(folder, 'questions', 'answer', id, flag),
    ),
  )
  expect(new Set(both.map(({ code }) => code))).toEqual(new Set([0, 1]))
  const value = both[0]?.code === 0
  const late = both.find(({ code }) => code === 1)
  expect(late?.stderr).toContain(
    `Answered by a "toolblocks questions" command: ${value}. This answer does not count.`,
  )
  await toolblocks(folder, 'run', '--resume')
  expect(model.results()).toEqual([`swept: ${value}`])
  expect(readIn(folder, 'sweeps.txt')).toBe('sweep\n')
})

test('promise questions that wait: a question that was answered is shown with its answer, and is neither asked nor withdrawn any more', async () => {
  const { folder } = await setUpWaiting('sweep')
  await toolblocks(folder, 'run', '--park', 'Sweep.')
  const { id } = await findOnlyQuestion(folder)
  await answerOnlyQuestion(folder, '--yes')
  const settled = 'Answered by a "toolblocks questions" command: true.'
  const details = await toolblocks(folder, 'questions', 'show', id)
  expect(details).toMatchObject({ code: 0, stdout: expect.stringContaining(settled) })
  for (const word of ['answer', 'withdraw'])
    expect(await toolblocks(folder, 'questions', word, id)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(settled),
    })
  const [question] = await listQuestions(folder, '--all')
  expect(question).toMatchObject({ state: 'answered' })
})

test('promise questions that wait: a question that has expired is not declined, and takes no answer', async () => {
  const { folder, model } = await setUpWaiting('sweep', '[questions]\nexpire_secs = 0.2\n')
  await toolblocks(folder, 'run', '--park', 'Sweep.')
  await expect.poll(async () => await listQuestions(folder), { timeout: 20_000 }).toEqual([])
  const [expired] = await listQuestions(folder, '--all')
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
  expect(readIn(folder, 'sweeps.txt')).toBe('')
})

test.for([
  ['--yes', 'deleted a.txt\n', 'run\n'],
  ['--no', expect.stringContaining('was denied'), ''],
] as const)(
  'promise questions that wait: an approval that is answered later with %s decides about the call once',
  async ([flag, result, runs]) => {
    const { folder, model } = await setUpWaiting('delete')
    expect((await toolblocks(folder, 'run', '--park', 'Clean up.')).code).toBe(6)
    const { id } = await findOnlyQuestion(folder)
    expect((await toolblocks(folder, 'questions', 'show', id)).stdout).toContain('path: a.txt')
    expect((await answerOnlyQuestion(folder, flag)).code).toBe(0)
    for (let times = 0; times < 2; times++)
      expect((await toolblocks(folder, 'run', '--resume')).code).toBe(0)
    expect(model.results()).toEqual([result])
    expect(readIn(folder, 'runs.txt')).toBe(runs)
  },
)

test('promise questions that wait: an answer from before its tool was changed does not count, and the question is asked again', async () => {
  const { folder, model } = await setUpWaiting('sweep')
  await toolblocks(folder, 'run', '--park', 'Sweep.')
  const before = await findOnlyQuestion(folder)
  await answerOnlyQuestion(folder, '--yes')
  const file = join(folder, 'toolblocks.toml')
  const changed = 'parameters = {}\nsummary = "Sweeps the harbor, with all boats."'
  writeFileSync(file, readFileSync(file, 'utf8').replace('parameters = {}', changed))
  expect((await toolblocks(folder, 'run', '--resume')).code).toBe(6)
  expect(readIn(folder, 'sweeps.txt')).toBe('')
  expect((await findOnlyQuestion(folder)).id).not.toBe(before.id)
  await answerOnlyQuestion(folder, '--no')
  await toolblocks(folder, 'run', '--resume')
  expect(model.results()).toEqual(['swept: false'])
})

test('promise questions that wait: run --wait tells what waits, and continues as soon as it is answered', async () => {
  const { folder, model } = await setUpWaiting('delete')
  const waiting = toolblocks(folder, 'run', '--wait', 'Clean up.')
  await expect.poll(async () => (await listQuestions(folder)).length, { timeout: 20_000 }).toBe(1)
  const { id, resume } = await findOnlyQuestion(folder)
  const busy = await toolblocks(folder, 'run', '--resume', resume)
  expect(busy).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/process \d+ on .* runs a turn of the conversation/),
  })
  await answerOnlyQuestion(folder, '--yes')
  const { code, stderr, stdout } = await waiting
  expect(code).toBe(0)
  expect(stderr).toContain(`toolblocks questions answer ${id}`)
  expect(stdout).toContain('All is done.')
  expect(model.results()).toEqual(['deleted a.txt\n'])
})

test('promise questions that wait: run --resume --wait tells what was already waiting', async () => {
  const { folder, model } = await setUpWaiting('delete')
  expect((await toolblocks(folder, 'run', '--park', 'Clean up.')).code).toBe(6)
  const { id, resume } = await findOnlyQuestion(folder)
  const waiting = startToolblocks(folder, ['run', '--wait', '--resume', resume])
  await waiting.said(new RegExp(`toolblocks questions answer ${id}`))
  await answerOnlyQuestion(folder, '--yes')
  await expect.poll(() => model.results(), { timeout: 20_000 }).toEqual(['deleted a.txt\n'])
})

test('promise questions that wait: a new prompt is refused while questions wait, until they are answered and used, or withdrawn', async () => {
  const { folder, model } = await setUpWaiting('sweep')
  await toolblocks(folder, 'run', '--park', 'Sweep.')
  const { id, resume } = await findOnlyQuestion(folder)
  const refused = await toolblocks(folder, 'run', '--resume', resume, 'Stop.')
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain(`toolblocks questions withdraw ${id}`)
  expect((await toolblocks(folder, 'questions', 'withdraw', id)).code).toBe(0)
  expect((await toolblocks(folder, 'run', '--resume', resume, 'Stop.')).code).toBe(0)
  expect(JSON.stringify(model.requestMessages)).toContain('the conversation continued')
  expect(readIn(folder, 'sweeps.txt')).toBe('')
})

test('promise questions that wait: without a terminal and without these options nothing waits', async () => {
  const { folder, model } = await setUpWaiting('sweep')
  expect((await toolblocks(folder, 'run', 'Sweep.')).code).toBe(0)
  expect(model.results()[0]).toContain('nobody could answer')
  expect(await listQuestions(folder, '--all')).toEqual([])
})

test('promise questions that wait: a question is answered at a terminal, with everything that it depends on', async () => {
  const { folder, model } = await setUpWaiting('sweep')
  await toolblocks(folder, 'run', '--park', 'Sweep.')
  const { id } = await findOnlyQuestion(folder)
  const { code, written } = await visit(
    folder,
    ['questions', 'answer', id],
    [[/12 boats[^]*harbor\?[^]*No/, 'y\r']],
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
  const { id, resume } = await findOnlyQuestion(folder)
  expect(parked.stderr).toContain(`toolblocks run --resume ${resume}`)
  const refused = await toolblocks(folder, 'run', '--resume', resume, 'Stop.')
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(id) })
  await answerOnlyQuestion(folder, '--yes')
  expect((await toolblocks(folder, 'run', '--resume', resume, 'Stop.')).code).toBe(2)
  expect((await toolblocks(folder, 'run', '--resume', resume)).code).toBe(0)
  expect(model.results()).toEqual(['It is clean.'])
  expect(readIn(folder, 'sweeps.txt')).toBe('sweep\n')
})

test.for([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)(
  'promise questions that wait: if the process of a prompt gets %s, the question stays open, and Ctrl-C withdraws it',
  async ([signal, expected]) => {
    const { folder, model } = await setUpWaiting('sweep')
    const prompt = /harbor\?[^]*No/
    const { code, written } = await visit(folder, ['run', 'Sweep.'], [[prompt, { signal }]])
    expect(code).toBe(expected)
    const { id, resume } = await findOnlyQuestion(folder)
    expect(written).toContain(id)
    const resumed = ['run', '--resume', resume]
    expect((await visit(folder, resumed, [[prompt, '\u0003']])).code).toBe(130)
    expect(await listQuestions(folder)).toEqual([])
    expect(await listQuestions(folder, '--all')).toMatchObject([{ id, state: 'withdrawn' }])
    expect(model.results()).toEqual([])
    expect(readIn(folder, 'sweeps.txt')).toBe('')
  },
)

test('promise questions that wait: a secret is asked only where its call runs, and is not stored', async () => {
  const { folder, model } = await setUpWaiting('sweep')
  const file = join(folder, 'sweep.mjs')
  const schema = "schema: { type: 'string', format: 'password' }"
  writeFileSync(file, SWEEP.replace("schema: { type: 'boolean' }", schema))
  await toolblocks(folder, 'run', '--park', 'Sweep.')
  const { id, resume } = await findOnlyQuestion(folder)
  const refused = await toolblocks(folder, 'questions', 'answer', id, '--answer', 'hunter2')
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`toolblocks run --resume ${resume}`),
  })
  const { code } = await visit(
    folder,
    ['run', '--resume', resume],
    [[/harbor\?[^]*\[7m/, 'hunter2\r']],
  )
  expect(code).toBe(0)
  expect(model.results()).toEqual(['swept: hunter2'])
  const { stdout } = await toolblocks(folder, 'questions', '--all', '--output', 'json')
  expect(stdout).toContain('"answered"')
  expect(stdout).not.toContain('hunter2')
})

test('promise questions that wait: an export says which questions wait, and scrub --detect finds a secret that only a question has', async () => {
  const { folder } = await setUpWaiting('sweep')
  const key = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')
  writeFileSync(join(folder, 'sweep.mjs'), SWEEP.replace('12 boats', `a key, ${key}`))
  await toolblocks(folder, 'run', '--park', 'Sweep.')
  const { id, resume } = await findOnlyQuestion(folder)
  for (const format of ['jsonl', 'markdown', 'html']) {
    const args = ['conversations', 'export', resume, '--output', format]
    const { code, stderr } = await toolblocks(folder, ...args)
    expect(code).toBe(0)
    expect(stderr).toContain('1 question waits for an answer')
    expect(stderr).toContain(id)
  }
  const scrubbed = await toolblocks(folder, 'conversations', 'scrub', resume, '--detect', '--yes')
  expect(scrubbed.stdout).toContain(`question ${id} /blocks/0/text`)
  const details = await toolblocks(folder, 'questions', 'show', id)
  expect(details.stdout).not.toContain(key)
  expect(details.stdout).toContain('a key, ')
  await answerOnlyQuestion(folder, '--no')
  const exported = await toolblocks(folder, 'conversations', 'export', resume, '--output', 'jsonl')
  expect(exported.stderr).not.toContain('waits')
})

test('promise questions that wait: no text of a tool or a model can control the terminal', async () => {
  const attack = '\u001B]0;owned\u0007\u001B[2J\u009B2J'
  const { folder } = await setUpWaiting('sweep')
  const asks = SWEEP.replace('The harbor', `${attack}The harbor`).replace(
    'Really',
    `${attack}Really`,
  )
  writeFileSync(join(folder, 'sweep.mjs'), asks)
  await toolblocks(folder, 'run', '--park', `${attack}Sweep.`)
  const { id } = await findOnlyQuestion(folder)
  const visits = [
    await visit(folder, ['questions'], []),
    await visit(folder, ['questions', 'show', id], []),
    await visit(folder, ['questions', 'answer', id], [[/harbor\?[^]*No/, 'y\r']]),
    await visit(folder, ['questions', '--all'], []),
  ]
  for (const { code, written } of visits) {
    expect(code).toBe(0)
    expect(written).toContain('sweep')
    for (const bytes of ['\u001B]0;', '\u001B[2J', '\u009B']) expect(written).not.toContain(bytes)
  }
})

test('promise questions that wait: an id that does not exist, and options that exclude each other, are refused', async () => {
  const { folder } = await setUpWaiting('sweep')
  await toolblocks(folder, 'run', '--park', 'Sweep.')
  const { id } = await findOnlyQuestion(folder)
  const wrong = `${id.slice(0, 7)}1`
  for (const args of [['show'], ['answer', '--yes'], ['decline'], ['withdraw']])
    expect(await toolblocks(folder, 'questions', args[0] ?? '', wrong, ...args.slice(1))).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`did you mean "${id}"?`),
    })
  expect(await toolblocks(folder, 'run', '--park', '--wait', 'Sweep.')).toMatchObject({ code: 2 })
  expect(await toolblocks(folder, 'run', '--park')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected a prompt in quotes, or --resume'),
  })
})
