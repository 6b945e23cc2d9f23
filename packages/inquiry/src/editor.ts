export { createEditorAnswers, type EditorAnswersOptions } from './editor/create-editor-answers.ts'
export { createTemplate } from './editor/create-template.ts'
export { EditorError } from './editor/editor-error.ts'
