import { type ImageValue, isWellKnownValue, type ToolResultValue } from '@toolblocks/protocol'
import { isBase64 } from '../is-base64.ts'

/** The picture that a value of any kind is: data of an `image`, an address, or base64 whose `mimeType` says so. */
export function imageIn({ data, mimeType }: ToolResultValue): ImageValue | undefined {
  const image = { kind: 'image', data: partsOf(data, mimeType), mimeType: mimeType ?? 'image' }
  return isWellKnownValue(image) && image.kind === 'image' ? image : undefined
}

function partsOf(data: unknown, mimeType: string | undefined): unknown {
  if (typeof data !== 'string') return data
  if (/^(?:https?|data):/i.test(data)) return { url: data }
  const isPicture = mimeType !== undefined && /^image\//i.test(mimeType)
  return isPicture && data !== '' && isBase64(data) ? { base64: data } : data
}
