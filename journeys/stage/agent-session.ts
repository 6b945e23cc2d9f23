/** A session file of Claude Code: lines with a tree of records, in its published format. */

const SESSION = '5e551011-7a3c-4b0e-9c1d-0123456789ab'
const FOLDER = '/home/ada/lighthouse'
const MODEL = 'claude-opus-4-20260501'
const START = Date.UTC(2026, 4, 6, 7)

/** The usage of a request, as the provider counted it. */
interface Usage {
  input_tokens: number
  cache_read_input_tokens: number
  output_tokens: number
}

/** Writes the records of a session, each some seconds after the one before. */
interface SessionWriter {
  /** A record with a place in the tree. */
  record(type: string, fields: object): void
  says(text: string): void
  /** Writes one message of the model: a line for each block, each with the usage of the complete request. */
  answers(blocks: readonly object[], usage: Usage): void
  /** The result of a tool, and the record that the program keeps of it. */
  result(id: string, content: unknown, more?: { isError?: boolean; toolUseResult?: object }): void
  /** Lets some seconds pass. */
  wait(seconds: number): void
  toText(): string
}

function startSession(): SessionWriter {
  const lines: string[] = []
  let time = START
  let parentUuid: string | null = null
  let requests = 0
  const record: SessionWriter['record'] = (type, fields) => {
    time += 2000
    const uuid = `00000000-0000-4000-8000-${String(lines.length).padStart(12, '0')}`
    lines.push(
      JSON.stringify({
        parentUuid,
        isSidechain: false,
        userType: 'external',
        cwd: FOLDER,
        sessionId: SESSION,
        version: '2.1.0',
        gitBranch: 'main',
        type,
        ...fields,
        uuid,
        timestamp: new Date(time).toISOString(),
      }),
    )
    parentUuid = uuid
  }
  return {
    record,
    says: (text) => record('user', { message: { role: 'user', content: text } }),
    answers: (blocks, usage) => {
      requests += 1
      const message = { id: `msg_${requests}`, role: 'assistant', model: MODEL, usage }
      for (const block of blocks)
        record('assistant', {
          requestId: `req_${requests}`,
          message: { ...message, type: 'message', content: [block] },
        })
    },
    result: (id, content, { isError = false, toolUseResult } = {}) => {
      const block = { type: 'tool_result', tool_use_id: id, content, is_error: isError }
      record('user', {
        message: { role: 'user', content: [block] },
        ...(toolUseResult && { toolUseResult }),
      })
    },
    wait: (seconds) => (time += seconds * 1000),
    toText: () => lines.map((line) => `${line}\n`).join(''),
  }
}

const usage = (fresh: number, cached: number, output: number): Usage => ({
  input_tokens: fresh,
  cache_read_input_tokens: cached,
  output_tokens: output,
})
const text = (content: string): object => ({ type: 'text', text: content })
const call = (id: string, name: string, input: object): object => ({
  type: 'tool_use',
  id,
  name,
  input,
})

const SOURCE = Array.from(
  { length: 120 },
  (_, index) => `${String(index + 1).padStart(6)}→const lamp${index + 1} = light(${index + 1})`,
).join('\n')

const PATCH = [
  {
    oldStart: 41,
    oldLines: 5,
    newStart: 41,
    newLines: 6,
    lines: [
      ' export function turn(lamp: Lamp): void {',
      '-  const period = 500',
      '+  const period = lamp.period ?? 250',
      '+  assertPositive(period)',
      '   setInterval(() => lamp.step(), period)',
      ' }',
      ' ',
    ],
  },
]

/** A session in which a lamp is repaired: a command, thoughts, reads, an edit, a list of tasks, a failure, and a second question. */
export function createLampSession(): string {
  const session = startSession()
  session.record('file-history-snapshot', { messageId: 'm', snapshot: { trackedFileBackups: {} } })
  session.record('user', {
    isMeta: true,
    message: { role: 'user', content: 'Caveat: the messages below were made by local commands.' },
  })
  session.says(
    '<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args>opus</command-args>',
  )
  session.says('<local-command-stdout>Set model to opus</local-command-stdout>')
  session.says(
    'The lamp turns too slowly. Find out why, mend it, and run the tests.\n\nThe period should be 250 ms unless a lamp says otherwise.',
  )
  session.answers(
    [
      {
        type: 'thinking',
        thinking:
          'The period is probably a constant somewhere in `src/lamp.ts`. I should look before I change anything.',
        signature: 's',
      },
      text('I look at how the lamp is turned.'),
      call('toolu_1', 'Grep', { pattern: 'setInterval', path: `${FOLDER}/src` }),
    ],
    usage(1200, 14_000, 180),
  )
  session.result('toolu_1', 'src/lamp.ts:43:  setInterval(() => lamp.step(), period)')
  session.answers(
    [call('toolu_2', 'Read', { file_path: `${FOLDER}/src/lamp.ts` })],
    usage(320, 15_200, 60),
  )
  session.result('toolu_2', SOURCE)
  session.answers(
    [
      call('toolu_3', 'TodoWrite', {
        todos: [
          { content: 'Find the period', status: 'completed', activeForm: 'Finding the period' },
          { content: 'Let a lamp have its own', status: 'in_progress', activeForm: 'Changing it' },
          { content: 'Run the tests', status: 'pending', activeForm: 'Running the tests' },
        ],
      }),
    ],
    usage(400, 17_900, 110),
  )
  session.result('toolu_3', 'Todos have been modified successfully.')
  session.answers(
    [
      call('toolu_4', 'Edit', {
        file_path: `${FOLDER}/src/lamp.ts`,
        old_string: '  const period = 500\n',
        new_string: '  const period = lamp.period ?? 250\n  assertPositive(period)\n',
      }),
    ],
    usage(180, 18_400, 140),
  )
  session.result('toolu_4', 'The file has been updated.', {
    toolUseResult: { filePath: `${FOLDER}/src/lamp.ts`, structuredPatch: PATCH },
  })
  session.record('progress', { data: { type: 'hook_progress' } })
  session.record('progress', { data: { type: 'hook_progress' } })
  session.answers(
    [call('toolu_5', 'Bash', { command: 'npm test', description: 'Run the tests' })],
    usage(210, 18_800, 70),
  )
  session.wait(10)
  session.result('toolu_5', 'Error: Exit code 1\nassertPositive is not defined', { isError: true })
  session.answers(
    [
      text('The check is missing. I add it beside the others.'),
      call('toolu_6', 'Write', {
        file_path: `${FOLDER}/src/assert-positive.ts`,
        content:
          "export function assertPositive(value: number): void {\n  if (!(value > 0)) throw new Error('not positive')\n}\n",
      }),
    ],
    usage(260, 19_300, 210),
  )
  session.result('toolu_6', 'File created.', {
    toolUseResult: {
      type: 'create',
      filePath: `${FOLDER}/src/assert-positive.ts`,
      structuredPatch: [],
    },
  })
  session.answers(
    [
      call('toolu_7', 'Bash', {
        command: 'npm test -- --reporter=dot',
        description: 'Run the tests again',
      }),
    ],
    usage(190, 19_900, 80),
  )
  session.wait(9)
  session.result('toolu_7', 'Test Files  4 passed (4)\n     Tests  31 passed (31)')
  session.answers(
    [
      text(
        'The lamp turns every **250 ms** now, unless it says otherwise:\n\n- `turn` in `src/lamp.ts` reads `lamp.period`\n- a period that is not positive is an error\n\n```ts\nturn({ period: 100, step })\n```\n\nAll 31 tests pass.',
      ),
    ],
    usage(240, 20_100, 190),
  )
  session.says('Thanks. Which lamps have a period of their own?')
  session.answers(
    [
      text('I count them.'),
      call('toolu_8', 'Bash', {
        command: "grep -rn 'period:' src | sort",
        description: 'List the lamps with a period',
      }),
    ],
    usage(300, 20_500, 90),
  )
  session.result('toolu_8', 'src/harbour.ts:4:  period: 100,\nsrc/pier.ts:9:  period: 400,')
  session.answers(
    [
      text(
        'Two: the **harbour** (100 ms) and the **pier** (400 ms).\n\n| lamp | period |\n| --- | --: |\n| harbour | 100 ms |\n| pier | 400 ms |',
      ),
    ],
    usage(150, 20_900, 60),
  )
  return session.toText()
}
