/** The program in the pseudo-terminal: it asks the questions of a file in order and records the answers. */
import { readFileSync, writeFileSync } from 'node:fs'
import { startProgram } from '@toolblocks/local-executor'
import { createEditorAnswers } from '../../editor.ts'
import type { PutQuestion } from './keys.support.ts'
import { putQuestions } from './put-questions.support.ts'

const [questionsFile = '', answersFile = '', forms = 'ask', size = 'its own'] =
  process.argv.slice(2)
const questions = JSON.parse(readFileSync(questionsFile, 'utf8')) as PutQuestion[]

if (size === 'none')
  for (const side of ['columns', 'rows'])
    Object.defineProperty(process.stdout, side, { get: () => 0 })

const stop = new AbortController()
process.on('SIGUSR2', () => stop.abort())
// Like a host that outlives its terminal.
process.on('SIGHUP', () => undefined)
// A process without a shell is not stopped by the signal, but notified.
process.on('SIGTSTP', () => process.stdout.write('STOPPED'))
process.stdout.on('error', () => undefined)

const answers = await putQuestions(questions, {
  signal: stop.signal,
  ...(process.env['EDITOR'] ? { editor: createEditorAnswers({ startProgram }) } : {}),
  forms: forms === 'edit' ? 'edit' : 'ask',
})
writeFileSync(answersFile, JSON.stringify(answers))
