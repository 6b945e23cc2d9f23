import type { Media } from '../model-parts/media-of.ts'
import type { ChatPart, ResponsesPart } from './openai-request.ts'

/** Media in a message or a result of Responses. */
export function toResponsesPart(media: Media): ResponsesPart {
  return media.mediaType.startsWith('image/')
    ? { type: 'input_image', image_url: dataUrl(media), detail: 'auto' }
    : { type: 'input_file', filename: nameOf(media), file_data: dataUrl(media) }
}

/** Media in a message of Chat Completions. */
export function toChatPart(media: Media): ChatPart {
  const { mediaType, data } = media
  if (mediaType.startsWith('image/'))
    return { type: 'image_url', image_url: { url: dataUrl(media) } }
  if (mediaType === 'audio/wav' || mediaType === 'audio/mpeg') {
    const format = mediaType === 'audio/wav' ? 'wav' : 'mp3'
    return { type: 'input_audio', input_audio: { data, format } }
  }
  return { type: 'file', file: { filename: nameOf(media), file_data: dataUrl(media) } }
}

function dataUrl({ mediaType, data }: Media): string {
  return `data:${mediaType};base64,${data}`
}

/** A file needs a name there. */
function nameOf({ mediaType, filename = '' }: Media): string {
  if (filename !== '') return filename
  return mediaType === 'application/pdf' ? 'file.pdf' : 'file'
}
