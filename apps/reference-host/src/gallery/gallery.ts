import type { GalleryPiece } from './gallery-pieces.ts'
import { KIND_PIECES } from './pieces-by-kind.ts'
import { OTHER_PIECES, VIEW_PIECES } from './pieces-by-view.ts'

/** Every kind, view and hint of a result. */
export const GALLERY: readonly GalleryPiece[] = [...KIND_PIECES, ...VIEW_PIECES, ...OTHER_PIECES]
