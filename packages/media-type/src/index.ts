export { languageForMimeType } from './language-for-mime-type.ts'
export { languageForPath } from './language-for-path.ts'
export { mimeTypeForPath } from './mime-type-for-path.ts'
export { sniffMimeType } from './sniff-mime-type.ts'
