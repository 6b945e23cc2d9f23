export { type Choice } from './questions/read-choices.ts'
export {
  createQuestionForm,
  type FieldInput,
  type FieldProblem,
  findChoiceHint,
  type FormDraft,
  locateProblems,
  type QuestionField,
  type QuestionForm,
  readDraft,
} from './form/question-form.ts'
