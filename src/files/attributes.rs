//! What a file has besides its contents: owner, permissions, access list.

use std::fs::File;
use std::io;

/// The owner, the permissions and the extended attributes of a file; elsewhere than on Unix, what the permissions say.
pub(super) struct Attributes {
    #[cfg(unix)]
    owner: u32,
    #[cfg(unix)]
    group: u32,
    #[cfg(unix)]
    mode: u32,
    #[cfg(unix)]
    extended: Vec<(std::ffi::OsString, Vec<u8>)>,
    #[cfg(not(unix))]
    permissions: std::fs::Permissions,
}

#[cfg(unix)]
impl Attributes {
    /// Linux keeps the access list of a file in an attribute of this name.
    const ACCESS_LIST: &str = "system.posix_acl_access";

    pub(super) fn of(file: &File) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt;
        use xattr::FileExt;
        let metadata = file.metadata()?;
        // A file system may have none.
        let names = file.list_xattr().into_iter().flatten();
        let pair = |name| Some((file.get_xattr(&name).ok()??, name));
        Ok(Self {
            owner: metadata.uid(),
            group: metadata.gid(),
            mode: metadata.mode() & 0o777,
            extended: names
                .filter_map(pair)
                .map(|(value, name)| (name, value))
                .collect(),
        })
    }

    /// Gives them to another file, as far as the system allows it; nobody gets more rights than before.
    pub(super) fn give_to(&self, file: &File) -> io::Result<()> {
        use std::fs::Permissions;
        use std::os::unix::fs::{PermissionsExt, fchown};
        // A user who may not change the owner of files stays the owner.
        let keeps_group = fchown(file, Some(self.owner), Some(self.group)).is_ok()
            || fchown(file, None, Some(self.group)).is_ok();
        let has_list = self
            .extended
            .iter()
            .any(|(name, _)| name == Self::ACCESS_LIST);
        let mode = match keeps_group && !has_list {
            true => self.mode,
            false => without_rights_of_group(self.mode),
        };
        file.set_permissions(Permissions::from_mode(mode))?;
        for (name, value) in &self.extended {
            let is_list = name == Self::ACCESS_LIST;
            if !is_list || keeps_group {
                // Some belong to the system alone. An access list brings the rights of its group along.
                let _ = xattr::FileExt::set_xattr(file, name, value);
            }
        }
        Ok(())
    }
}

/// The group gets what all others have at most: where there is an access list, these bits are its mask and not the
/// rights of the group; where the group is another one, they are meant for somebody else.
#[cfg(unix)]
fn without_rights_of_group(mode: u32) -> u32 {
    let others = mode & 0o007;
    mode & (0o707 | others << 3)
}

#[cfg(not(unix))]
impl Attributes {
    pub(super) fn of(file: &File) -> io::Result<Self> {
        let permissions = file.metadata()?.permissions();
        Ok(Self { permissions })
    }

    pub(super) fn give_to(&self, file: &File) -> io::Result<()> {
        file.set_permissions(self.permissions.clone())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::without_rights_of_group;

    #[test]
    fn a_group_never_gets_more_rights_than_all_others() {
        assert_eq!(without_rights_of_group(0o660), 0o600);
        assert_eq!(without_rights_of_group(0o646), 0o646);
        assert_eq!(without_rights_of_group(0o664), 0o644);
    }
}
