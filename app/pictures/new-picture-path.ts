/** The page that uploads a picture without scripts. */
export const NEW_PICTURE_PATH = "/pictures/new";

/** Its query parameter with the path of the picture that was just uploaded. */
export const ADDED_PARAM = "added";
