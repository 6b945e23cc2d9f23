/** What a picture should become. */
export interface ScaleTarget {
  /** The type of the bytes. */
  mimeType: string
  /**
   * Maximum width in pixels before the picture is turned, at most that of the bytes. A scaler chooses a smaller size in the same ratio if `maxBytes` needs
   * it.
   */
  width: number
  /** Maximum height in pixels before the picture is turned. */
  height: number
  /** The EXIF orientation of the bytes, from 1 to 8, which the new pixels must have. */
  orientation: number
  /** Maximum bytes of the new file. */
  maxBytes: number
  /** The types that the new file may have. */
  types: readonly string[]
}

/** A scaled picture, or why there is none. */
export type ScaledPicture =
  | {
      ok: true
      /** The new file. */
      bytes: Uint8Array<ArrayBuffer>
      /** For example `image/jpeg`. */
      mimeType: string
      /** Its pixels. */
      width: number
      /** Its pixels. */
      height: number
    }
  | {
      ok: false
      /** A part of a sentence, for the note. */
      reason: string
      /** What to install, if that is all that is missing. */
      install?: string
    }

/** Scales a picture. It does not reject. */
export type ScalePicture = (
  bytes: Uint8Array<ArrayBuffer>,
  target: ScaleTarget,
) => Promise<ScaledPicture>

/** Scales pictures, and ends what it started. */
export interface PictureScaler {
  scale: ScalePicture
  /** Ends the worker. A later picture starts a new one. */
  close(): Promise<void>
}
