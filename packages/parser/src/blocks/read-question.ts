import { describeValue, isJsonSchema, type JsonObject, MAX_QUESTIONS } from '@toolblocks/protocol'
import { type Reading, skipBlock } from '../reading.ts'
import { questionBlockPlace, questionPlace } from './places.ts'
import { asObject, readFields } from './read-fields.ts'

/** Reads a question block. Answers go by id, so a second question with the same id is skipped. */
export function readQuestion(block: JsonObject, reading: Reading): JsonObject | undefined {
  const given = asObject(block['question'], reading)
  if (!given) return skipQuestion('an object "question"', block['question'], reading)
  const { id, text, schema } = given
  if (typeof id !== 'string' || id === '') return skipQuestion('a "question.id"', id, reading)
  if (typeof text !== 'string') return skipQuestion('a string "question.text"', text, reading)
  if (!isJsonSchema(schema)) return skipQuestion('a "question.schema"', schema, reading)
  if (reading.questionIds.includes(id)) return skipRepeated(id, reading)
  if (reading.questionIds.length === MAX_QUESTIONS) return skipExcess(reading)
  const question = readFields(given, questionPlace, reading)
  if (!('schema' in question)) return skipQuestion('a smaller "question.schema"', schema, reading)
  reading.questionIds.push(id)
  const read = readFields(block, questionBlockPlace, reading)
  return question === block['question'] ? read : { ...read, question }
}

function skipQuestion(needs: string, got: unknown, reading: Reading): undefined {
  return skipBlock(reading, {
    code: 'malformed-block',
    message: `a question block needs ${needs}.`,
    expected: needs,
    got: describeValue(got),
  })
}

function skipRepeated(id: string, reading: Reading): undefined {
  return skipBlock(reading, {
    code: 'duplicate-question-id',
    message: 'another question has the same id, and answers go by id.',
    expected: 'a different "question.id"',
    got: describeValue(id),
  })
}

function skipExcess(reading: Reading): undefined {
  return skipBlock(reading, {
    code: 'too-many-questions',
    message: 'a result may ask only so many questions; ask the rest after the answers.',
    expected: `at most ${MAX_QUESTIONS} questions`,
    got: `question ${MAX_QUESTIONS + 1}`,
  })
}
