import { type Model, type ScriptedTurn, createScriptedModel } from '@toolblocks/agent'
import type { AnswerQuestion, ContentBlock, ToolCall, ToolResult } from '@toolblocks/protocol'
import { readAnswer } from '../terminal/typed/read-answer.ts'

/** The question that the person of the demo asks. */
export const DEMO_QUESTION = 'What is this project, do its tests pass, what does its log say?'

/** The turns of the scripted model: its texts and its tool calls. */
const DEMO_TURNS: readonly ScriptedTurn[] = [
  {
    text: 'I look at the files first: a shell script prints plain text.',
    calls: [call('list_files')],
  },
  {
    text: 'I read three of them with a Python script that describes its own arguments.',
    calls: [call('read_files', { paths: ['README.md', 'src/main.rs', 'logo.png'] })],
  },
  {
    text: 'Two calls at once. Both fail: one in JSON, one by its exit code.',
    calls: [call('read_files', { paths: ['src/lamp.rs'] }), call('run_tests')],
  },
  {
    text: 'A Node script answers with text, a table, and an unknown block.',
    calls: [call('describe_project')],
  },
  {
    text: 'One in TypeScript, with the SDK: it answers with a tree.',
    calls: [call('plan_night', { blinks: 3 })],
  },
  { text: 'And a picture, which a Python script draws.', calls: [call('draw_beam')] },
  {
    text: 'Now much output, far over the limit of what is read.',
    calls: [call('print_log', { lines: 900_000 })],
  },
  {
    text: 'I forgot what was in main.rs and read it again.',
    calls: [call('read_files', { paths: ['src/main.rs'] })],
  },
  {
    text: 'May I delete the notes? The policy of this tool is to ask.',
    calls: [call('delete_file', { path: 'notes.txt' })],
  },
  {
    text: 'A blink takes too long. I change it if you agree to the diff.',
    calls: [edit('from_millis(500)', 'from_millis(250)')],
  },
  { text: 'And there should be more of them.', calls: [edit('0..10', '0..100')] },
  {
    text: 'The changes so far: a status in a format of its own, and a diff.',
    calls: [call('git_status'), call('git_diff', { path: 'src/main.rs' })],
  },
  {
    text: 'The release: you choose and fill in a form, and I write the headline.',
    calls: [call('plan_release')],
  },
  {
    text: 'An MCP server: it asks you itself, and answers with a link.',
    calls: [call('harbor__report_lamp')],
  },
  {
    text: 'The content of the link is read on demand.',
    calls: [call('read_resource', { uri: 'harbor://log/tonight' })],
    isNeeded: hasLink,
  },
  {
    text: 'Last, I stage the first change only, in git: a live program.',
    calls: [call('stage_hunks', { action: 'spawn', id: 'staging' })],
  },
  { text: '', calls: [stage('y')], isNeeded: isStaging },
  { text: '', calls: [stage('n')], isNeeded: isStaging },
  { text: 'It is a lighthouse; one of two tests fails; the log is long.', calls: [] },
]

/** The model's answer to a question that is routed to the model. */
const MODEL_ANSWER = 'It blinks twice as fast'

/** Scripted answers, by question id, for a demo without a person at a terminal. */
const DEMO_ANSWERS: ReadonlyMap<string, string> = new Map([
  ['apply_changes', 'true'],
  ['part', 'minor'],
  ['signer', '{"name":"Ada","email":"ada@example.com","announce":true}'],
  ['elicitation', '{"keeper":"Ada","wind":"breeze"}'],
])

function call(name: string, values: ToolCall['arguments'] = {}): ToolCall {
  return { id: '', name, arguments: values }
}

function edit(find: string, replace: string): ToolCall {
  return call('edit_file', { path: 'src/main.rs', find, replace })
}

/** Returns a call that answers git's "Stage this hunk?". */
function stage(key: string): ToolCall {
  return call('stage_hunks', { action: 'apply', id: 'staging', input: `${key}\n` })
}

/** Whether git still asks. If a person declined an edit, there are fewer changes to stage, or none. */
function isStaging(results: readonly ToolResult[]): boolean {
  return results.some(({ metadata }) => metadata?.handle?.status === 'running')
}

/** Whether the results contain a link. If the report to the harbor did not run, there is no link. */
function hasLink(results: readonly ToolResult[]): boolean {
  return results.some(({ content }) => content.some(({ type }) => type === 'resource_link'))
}

/** Creates the model of the demo. It plays its scripted turns and answers the questions of tools. */
export function createDemoModel(): Model {
  const playing = createScriptedModel(numberCalls(DEMO_TURNS))
  const answering = createScriptedModel([
    { text: '', calls: [{ id: 'answer', name: 'answer', arguments: { answer: MODEL_ANSWER } }] },
  ])
  return (request, signal) =>
    request.toolChoice === 'required' ? answering(request, signal) : playing(request, signal)
}

/** Adds an id to each call: `call-1`, `call-2`, … */
function numberCalls(turns: readonly ScriptedTurn[]): ScriptedTurn[] {
  let count = 0
  return turns.map((turn) => ({
    ...turn,
    calls: turn.calls.map((entry) => {
      count += 1
      return { ...entry, id: `call-${count}` }
    }),
  }))
}

/** Called with the content blocks that a person would see and with the text about the scripted answer. */
export type ReportScripted = (material: readonly ContentBlock[], text: string) => void

/** Creates the answers for a demo without a person at a terminal. Each scripted answer is reported. */
export function createScriptedPerson(tell: ReportScripted): AnswerQuestion {
  const answers = createTypedAnswers(DEMO_ANSWERS, undefined)
  return async (request, context) => {
    const answer = await answers(request, context)
    const { blocks, shown: shownCount = 0, after = [] } = context
    if (answer.action === 'accept')
      tell(
        [...blocks.slice(shownCount), ...after],
        `${request.text} There is no person at a terminal; the script answers ${JSON.stringify(answer.value)}.`,
      )
    return answer
  }
}

/** Creates answers from values that were typed beforehand; each is parsed by the schema of its question. Other questions go to `otherwise`. */
export function createTypedAnswers(
  answers: ReadonlyMap<string, string>,
  otherwise: AnswerQuestion | undefined,
): AnswerQuestion {
  return async (request, context) => {
    const text = answers.get(request.id)
    if (text !== undefined && context.problems === undefined) {
      const read = await readAnswer(text, request)
      return { action: 'accept', value: read.ok ? read.value : text }
    }
    return (await otherwise?.(request, context)) ?? { action: 'cancel', reason: 'nobody' }
  }
}
