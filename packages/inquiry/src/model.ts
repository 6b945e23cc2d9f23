export {
  createModelAnswers,
  type AskModel,
  type ModelAnswersOptions,
  type ModelQuestion,
} from './model/create-model-answers.ts'
