export {
  countCharacters,
  takeCodeUnits,
  shortenText,
  formatByteSize,
  getBase64ByteLength,
} from './text/characters.ts'
export { describeValue, quoteName, quoteBriefly, formatValue } from './text/describe-value.ts'
export { formatDuration } from './text/duration.ts'
export { fenceText } from './text/fence-text.ts'
export { type LastState, toLastState } from './text/last-state.ts'
export { describeMissingPeer } from './text/missing-peer.ts'
export { type RepairedBase64, repairBase64 } from './text/repair-base64.ts'
export { countBytes, decodeBase64 } from '#bytes'
