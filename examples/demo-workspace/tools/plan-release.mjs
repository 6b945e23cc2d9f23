// Asks three things, one after the other: a choice, a line that the model writes, and a form.
import { readFileSync } from 'node:fs'

const { answers } = JSON.parse(readFileSync(0, 'utf8')).tool
const questions = [
  {
    id: 'part',
    text: 'Which part of the version grows?',
    schema: { type: 'string', enum: ['major', 'minor', 'patch'] },
    default: 'patch',
  },
  { id: 'headline', text: 'What is the headline of this release?', schema: { type: 'string', minLength: 5 } },
  {
    id: 'signer',
    text: 'Who signs it?',
    schema: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, default: 'Ada' },
        email: { type: 'string', format: 'email', default: 'ada@example.com' },
        announce: { type: 'boolean', default: false },
      },
      required: ['name', 'email'],
    },
  },
]
const question = questions.find(({ id }) => !(id in answers))
const content = question
  ? [
      { type: 'text', text: 'Lighthouse is at version 1.4.2.' },
      { type: 'question', question },
    ]
  : [{ type: 'text', text: `A ${answers.part} release, "${answers.headline}", signed by ${answers.signer.name}.` }]
process.stdout.write(JSON.stringify({ content }))
