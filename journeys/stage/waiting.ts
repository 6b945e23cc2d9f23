import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ran, toolblocks } from './command.ts'
import { makeFolder, tool } from './folder.ts'
import { hasResults, type Provider, startProvider } from './provider.ts'

/** A program that asks before it sweeps, and counts its sweeps. */
export const SWEEP = `
import { appendFileSync, readFileSync } from 'node:fs'
const { answers = {} } = JSON.parse(readFileSync(0, 'utf8')).tool
const question = { id: 'sure', text: 'Really sweep the harbor?', schema: { type: 'boolean' } }
if ('sure' in answers) appendFileSync('sweeps.txt', 'sweep\\n')
const content = 'sure' in answers
  ? [{ type: 'text', text: 'swept: ' + answers.sure }]
  : [{ type: 'text', text: 'The harbor has 12 boats.' }, { type: 'question', question }]
console.log(JSON.stringify({ content }))
`

/** The table of this program as a tool. */
export const ASKS = tool('sweep', ['node', 'sweep.mjs'])

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
export async function setUpWaiting(
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

/** A question as `questions list` prints it. */
export interface Listed {
  id: string
  state: string
  /** The conversation to resume. */
  resume: string
  /** For a question that is answered only where it is asked: whether a host asks it now. */
  isAsked?: boolean
}

/** Returns the questions that wait; with `--all` also the others. */
export async function listQuestions(
  folder: string,
  ...args: readonly string[]
): Promise<readonly Listed[]> {
  const { stdout } = await toolblocks(folder, 'questions', 'list', '--output', 'json', ...args)
  const { questions } = JSON.parse(stdout) as { questions: readonly Listed[] }
  return questions
}

/** Returns the only question that waits. */
export async function findOnlyQuestion(folder: string): Promise<Listed> {
  const [only, ...more] = await listQuestions(folder)
  if (!only || more.length > 0) throw new Error(`${more.length} more questions wait`)
  return only
}

/** Answers the only question that waits. */
export async function answerOnlyQuestion(folder: string, ...args: readonly string[]): Promise<Ran> {
  return await toolblocks(
    folder,
    'questions',
    'answer',
    (await findOnlyQuestion(folder)).id,
    ...args,
  )
}

/** Reads a file of a folder; an empty text if it does not exist. */
export function readIn(folder: string, file: string): string {
  return existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : ''
}
