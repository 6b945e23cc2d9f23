export { loadContentReaders } from './readers/load-content-readers.ts'
