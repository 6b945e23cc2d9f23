export { getPictureLimits, type PictureLimits } from './pictures/picture-limits.ts'
export {
  createPictureFitter,
  type FitResultOptions,
  type FittedResult,
  type PictureChange,
  type PictureFitter,
  type PictureFitterOptions,
} from './pictures/picture-fitter.ts'
export { createPictureScaler, type PictureScalerOptions } from './pictures/picture-scaler.ts'
export {
  type PictureScaler,
  type ScaledPicture,
  type ScalePicture,
  type ScaleTarget,
} from './pictures/scaled-picture.ts'
