export { createImageWriter, type ImageProtocol } from './images/create-image-writer.ts'
export { findImageProtocol, knowsLinks } from './images/find-image-protocol.ts'
