import type { ToolCall } from '@toolblocks/protocol'
import type { ModelTurn } from '../model/model.ts'

/** What the person of the demo asks. */
export const DEMO_QUESTION = 'What is this project, do its tests pass, and what does its log say?'

/** What the scripted model says and calls. */
export const DEMO_TURNS: readonly ModelTurn[] = [
  {
    text: 'I look at the files first: a shell script prints plain text.',
    calls: [call('list_files')],
  },
  {
    text: 'Then I read three of them: a Python script answers with resources.',
    calls: [call('read_files', { paths: ['README.md', 'src/main.rs', 'logo.png'] })],
  },
  {
    text: 'Two calls at once, and both fail: one says so in JSON, the other just exits with a code.',
    calls: [call('read_files', { paths: ['src/lamp.rs'] }), call('run_tests')],
  },
  {
    text: 'A Node script answers with text, a table, and one block that no host knows.',
    calls: [call('describe_project')],
  },
  {
    text: 'Now a great deal of output, far over what is read.',
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
  { text: 'It is a lighthouse; one of its two tests fails, and the log is long.', calls: [] },
]

function call(name: string, values: ToolCall['arguments'] = {}): ToolCall {
  return { id: '', name, arguments: values }
}

/** The turns with an id for each call: `call-1`, `call-2`, … */
export function numberCalls(turns: readonly ModelTurn[]): ModelTurn[] {
  let count = 0
  return turns.map((turn) => ({
    ...turn,
    calls: turn.calls.map((entry) => {
      count += 1
      return { ...entry, id: `call-${count}` }
    }),
  }))
}
