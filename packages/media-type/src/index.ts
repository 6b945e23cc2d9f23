export { languageForMimeType, languageForPath, mimeTypeForPath } from './types-by-name.ts'
export { sniffMimeType } from './sniff-mime-type.ts'
