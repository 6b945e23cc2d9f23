export {
  createEditorAnswers,
  EditorError,
  type EditorAnswersOptions,
} from './editor/create-editor-answers.ts'
export { createTemplate } from './editor/create-template.ts'
