export type {
  GoogleBytes,
  GoogleContent,
  GoogleFunction,
  GooglePart,
  GoogleRequest,
  GoogleResponse,
} from './google/google-request.ts'
export { type GoogleAnswer, readAnswer } from './google/read-answer.ts'
export { toRequest } from './google/to-request.ts'
export { google2Profile, googleProfile } from './model-parts/profiles.ts'
