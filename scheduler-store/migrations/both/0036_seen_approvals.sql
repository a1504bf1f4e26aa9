-- What a client had before them when they last decided on a post, as JSON; null where that is not kept.
ALTER TABLE approvals ADD COLUMN seen TEXT;
