export { createEditorAnswers, EditorError } from './editor/create-editor-answers.ts'
