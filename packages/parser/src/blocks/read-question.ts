import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { isJsonSchema, MAX_QUESTIONS, hasType, describeValue } from '@toolblocks/protocol/internal'
import { type Reading, skipBlock, warn } from '../reading/reading.ts'
import { asObject, questionBlockShape, questionShape, readFields } from './read-fields.ts'

/** Reads a question block. Answers have the question's id, so a second question with the same id is skipped. */
export function readQuestion(block: JsonObject, reading: Reading): JsonObject | undefined {
  const object = asObject(block['question'], reading)
  if (!object) return skipQuestion('an object "question"', block['question'], reading)
  const { id, text, schema } = object
  if (typeof id !== 'string' || id === '') return skipQuestion('a "question.id"', id, reading)
  if (typeof text !== 'string') return skipQuestion('a string "question.text"', text, reading)
  if (!isJsonSchema(schema)) return skipQuestion('a "question.schema"', schema, reading)
  if (reading.questionIds.includes(id)) return skipRepeated(id, reading)
  if (reading.questionIds.length === MAX_QUESTIONS) return skipExcess(reading)
  const question = readChoices(readFields(object, questionShape, reading), reading)
  if (!('schema' in question)) return skipQuestion('a smaller "question.schema"', schema, reading)
  reading.questionIds.push(id)
  const read = readFields(block, questionBlockShape, reading)
  return question === block['question'] ? read : { ...read, question }
}

/** A value that a question lists is a choice: a `type` that excludes it is dropped. */
function readChoices(question: JsonObject, reading: Reading): JsonObject {
  const { schema } = question
  if (!isJsonObject(schema) || !Array.isArray(schema['enum'])) return question
  const { type, ...rest } = schema
  const named: readonly unknown[] = Array.isArray(type) ? type : [type]
  const types = named.filter((each) => typeof each === 'string')
  const excluded = schema['enum'].find((value) => !hasType(value, types))
  if (type === undefined || excluded === undefined) return question
  warn(reading, {
    code: 'dropped-field',
    at: '/question/schema/type',
    message: 'The "type" excludes a value of "enum", and was dropped.',
    expected: 'a "type" of all values of "enum"',
    got: `${JSON.stringify(type)} and the value ${JSON.stringify(excluded)}`,
  })
  return { ...question, schema: rest }
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
    message: 'another question has the same id.',
    expected: 'a different "question.id"',
    got: describeValue(id),
  })
}

function skipExcess(reading: Reading): undefined {
  return skipBlock(reading, {
    code: 'too-many-questions',
    message: 'the result has too many questions; ask the rest after the answers.',
    expected: `at most ${MAX_QUESTIONS} questions`,
    got: `question ${MAX_QUESTIONS + 1}`,
  })
}
