/** Update and Restart. */
export const UpdateControls = () => null;
