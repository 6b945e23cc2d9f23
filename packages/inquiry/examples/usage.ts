import assert from 'node:assert/strict'
import { runInquiry } from '@toolblocks/inquiry'
import {
  booleanQuestion,
  createSuccessResult,
  type AnswerQuestion,
  type Tool,
} from '@toolblocks/protocol'

const removeNotes: Tool = {
  name: 'remove_notes',
  inputSchema: { type: 'object' },
  execute: async (_call, { answers }) => {
    if (answers['confirm'] === true)
      return createSuccessResult([{ type: 'text', text: 'Removed.' }])
    const question = booleanQuestion({ id: 'confirm', text: 'Remove it?', default: false })
    return createSuccessResult([
      { type: 'text', text: 'notes.txt has 12 lines that are not committed.' },
      { type: 'question', question },
    ])
  },
}

// A terminal or a page would ask here. The blocks before the question help a person decide.
const user: AnswerQuestion = async (request, { blocks }) => {
  assert.deepEqual([request.text, blocks.length], ['Remove it?', 1])
  return { action: 'accept', value: true }
}

const result = await runInquiry(
  removeNotes,
  { id: 'call-1', name: 'remove_notes', arguments: {} },
  { context: { signal: AbortSignal.timeout(5000), root: process.cwd(), ask: { user } } },
)
assert.deepEqual(result.content, [{ type: 'text', text: 'Removed.' }])
