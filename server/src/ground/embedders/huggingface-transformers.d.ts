/** The parts that we use of a library that is not installed with us. */
declare module '@huggingface/transformers' {
  export const env: { allowRemoteModels: boolean; localModelPath: string }
  type Extractor = (
    texts: string[],
    options: { pooling: 'mean' | 'cls' | 'last_token'; normalize: boolean },
  ) => Promise<{ tolist: () => number[][] }>
  export function pipeline(
    task: 'feature-extraction',
    model: string,
    options: { dtype: 'fp32' | 'q8'; local_files_only: boolean },
  ): Promise<Extractor>
}
