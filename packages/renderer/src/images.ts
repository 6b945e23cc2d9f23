export { createImageWriter } from './images/create-image-writer.ts'
