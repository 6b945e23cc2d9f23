export { writeValidator } from './written/write-validator.ts'
